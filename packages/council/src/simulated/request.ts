import type { ModelRequest } from "../model.ts";
import { OTHER } from "../prompts/answer-schemas.ts";
import { REQUEST_HEADINGS } from "../prompts/messages.ts";
import { placeholder } from "./placeholder.ts";

/** A request as the simulated model reads it. */
export interface SimulatedRequest {
  readonly prompt: string;
  /** The choices it may pick from; empty: free text. */
  readonly choices: readonly string[];
  /** The schema of the answer where it is an object. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  /** The schema of the whole reply. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Labels of the proposals to judge. */
  readonly labels: readonly string[];
  /** What those proposals drew. */
  readonly drawn: string;
  readonly seed: number;
}

/** The reply to one purpose: an object of the schema that the request asks for. */
export type SimulatedReply = (request: SimulatedRequest) => object;

/** The name under which the simulated model is known. */
export const SIMULATED_MODEL = "simulated";
export const SIMULATED_NOTE = "Simulated: no language model was asked. Configure one for a real answer.";

export function readRequest({ messages, schema }: ModelRequest, seed: number): SimulatedRequest {
  const user = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const { answer } = (schema?.jsonSchema["properties"] ?? {}) as {
    answer?: { readonly type?: unknown; readonly enum?: readonly string[] };
  };
  return {
    ...(schema ? { schema: schema.jsonSchema } : {}),
    ...(answer?.type === "object" ? { answerSchema: answer } : {}),
    prompt: promptIn(user),
    choices: (answer?.enum ?? []).filter((choice) => choice !== OTHER),
    labels: [...user.matchAll(/^(?:<<< proposal ([A-Y]) |Proposal ([A-Y]): ")/gm)].map(
      ([, marked, quoted]) => (marked ?? quoted)!,
    ),
    drawn: /(?:^|\\n)Drawn by lot: \*\*(.{1,200}?)\*\*\. /m.exec(user)?.[1] ?? "nothing",
    seed,
  };
}

/** What stands after the first heading of a request; a prompt may well contain another. */
function promptIn(user: string): string {
  const starts = REQUEST_HEADINGS.flatMap((heading) => {
    const at = `\n${user}`.indexOf(`\n${heading}\n`);
    return at === -1 ? [] : [at + heading.length + 1];
  });
  return starts.length === 0 ? user : user.slice(Math.min(...starts));
}

/** An answer drawn by lot: the same for the same prompt and seed. An object is filled with placeholders. */
export function drawAnswer({ choices, prompt, seed, answerSchema }: SimulatedRequest): {
  answer: unknown;
  other?: null;
} {
  if (answerSchema) return { answer: placeholder(answerSchema) };
  if (choices.length === 0) return { answer: `simulated answer to "${quoteOf(prompt)}"` };
  return { answer: choices.toSorted()[hash(`${seed} ${prompt}`) % choices.length]!, other: null };
}

export const quoteOf = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 80);

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return value;
}
