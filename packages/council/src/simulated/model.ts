import { z } from "zod";
import type { Model, ModelReply, ModelRequest, Purpose } from "../model.ts";
import { checkArgument } from "../problems.ts";
import { OTHER } from "../prompts/answer-schemas.ts";
import { REQUEST_HEADING } from "../prompts/messages.ts";
import { simulatedSteps } from "./steps.ts";

/** The name under which the simulated model is known. */
export const SIMULATED_MODEL = "simulated";

/**
 * A model that needs no provider, for trying the council out: the same request and seed give the same answer. It knows
 * nothing, and every text it writes says that it is simulated.
 */
export function simulatedModel(options: { seed?: number } = {}): Model {
  checkArgument("options", options, simulatedOptions);
  const { seed = 1 } = options;
  return {
    async complete(request, signal) {
      signal.throwIfAborted();
      const object = ANSWERS[request.purpose](view(request, seed));
      return reply(request, object);
    },
  };
}

const simulatedOptions = z.strictObject({ seed: z.number().optional() });

/** A request as the simulation sees it. */
interface View {
  readonly prompt: string;
  /** The choices it may pick from; empty: free text. */
  readonly choices: readonly string[];
  /** Labels of the proposals to judge. */
  readonly labels: readonly string[];
  /** What those proposals drew. */
  readonly drawn: string;
  readonly seed: number;
}

const NOTE = "Simulated: no language model was asked. Configure one for a real answer.";

const ANSWERS: Readonly<Record<Purpose, (view: View) => object>> = {
  vote: (view) => ({ rationale: NOTE, ...pick(view) }),
  seat: (view) => ({
    proposal: `_${NOTE}_\n\nDrawn by lot: **${pick(view).answer}**. A real seat would give its reasons here, what speaks against them, and when to choose otherwise.`,
    ...pick(view),
  }),
  judge: ({ prompt, labels, drawn }) => ({
    consensus: [`All ${labels.length} proposals are simulated.`],
    contradictions: [],
    gaps: ["Everything that takes knowledge of the matter."],
    dissent: [],
    decision: `_${NOTE}_\n\nDrawn by lot: **${drawn}**. A real judge would weigh ${labels.length} proposals on "${short(prompt)}" here.`,
    answer: drawn,
  }),
  rank: ({ labels }) => ({ rationale: NOTE, ranking: labels }),
  decompose: ({ prompt }) => simulatedSteps(prompt, NOTE),
  equivalence: () => ({ rationale: NOTE, same: false }),
  paraphrase: ({ prompt }) => ({ question: prompt }),
  route: () => ({ rationale: NOTE, tool: "consult_council" }),
  format: () => ({ note: NOTE }),
};

function pick({ choices, prompt, seed }: View): { answer: string; other?: null } {
  if (choices.length === 0) return { answer: `simulated answer to "${short(prompt)}"` };
  return { answer: choices[hash(`${seed} ${prompt}`) % choices.length]!, other: null };
}

function view({ messages, schema }: ModelRequest, seed: number): View {
  const user = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const asked = user.lastIndexOf(`${REQUEST_HEADING}\n`);
  const { answer } = (schema?.jsonSchema["properties"] ?? {}) as { answer?: { enum?: readonly string[] } };
  return {
    prompt: asked === -1 ? user : user.slice(asked + REQUEST_HEADING.length + 1),
    choices: (answer?.enum ?? []).filter((choice) => choice !== OTHER),
    labels: [...user.matchAll(/^<<< proposal ([A-Y]) /gm)].map((match) => match[1]!),
    drawn: /^Drawn by lot: \*\*(.+?)\*\*\. /m.exec(user)?.[1] ?? "nothing",
    seed,
  };
}

function reply({ messages }: ModelRequest, object: object): ModelReply {
  const text = JSON.stringify(object);
  const tokens = (chars: number) => Math.ceil(chars / 4);
  const inputTokens = tokens(messages.reduce((sum, { content }) => sum + content.length, 0));
  return {
    text,
    object,
    finishReason: "stop",
    usage: { inputTokens, outputTokens: tokens(text.length), costUsd: 0 },
    latencyMs: 0,
    model: SIMULATED_MODEL,
  };
}

const short = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 80);

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return value;
}
