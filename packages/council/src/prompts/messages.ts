import type { Message } from "../model.ts";
import type { RequestContext } from "../request-config.ts";
import type { Delimiter } from "./delimiter.ts";

/** What is asked, with everything the caller gave beside it. */
export interface Question {
  readonly prompt: string;
  readonly context?: RequestContext;
  readonly intent?: string;
  /** What to decide by, the most important first. */
  readonly criteria?: readonly string[];
  /** Whether "unknown" is offered as an answer. Default false: small models take it wherever it is offered. */
  readonly allowUnknown?: boolean;
  /** One for each prompt. */
  readonly newDelimiter: () => Delimiter;
}

/** The line after which the prompt stands, last in the message, so that material never comes after it. A wording has one of them. */
export const REQUEST_HEADINGS = [
  "The request:",
  "Question:",
  "This is what is asked:",
  "To answer:",
  "Request:",
  "Here is the question:",
] as const;
const REQUEST_HEADING = REQUEST_HEADINGS[0];

/** The instructions, the conversation so far, then the material and the request. */
export function messages(
  { prompt, context, criteria, newDelimiter }: Question,
  instructions: string,
  {
    material = () => [],
    lines = [],
    heading = REQUEST_HEADING,
    alone = false,
    examples = [],
  }: {
    material?: (delimiter: Delimiter) => readonly string[];
    /** Material that needs no mark. */
    lines?: readonly string[];
    heading?: string;
    /** Whether a request before which nothing stands has no heading: small models answer the heading. */
    alone?: boolean;
    /** Requests and replies that show how to answer. A conversation of the caller's shows its own way. */
    examples?: readonly (readonly [request: string, reply: string])[];
  } = {},
): readonly Message[] {
  const delimiter = newDelimiter();
  const parts = [...contextParts(context, delimiter), ...material(delimiter)];
  // Said by the caller, as opposed to shown: it stands outside all delimiters.
  const how = context?.instructions?.trim() ? [`How to answer:\n${context.instructions}`] : [];
  const before = [...parts, ...lines, ...how, ...criteriaPart(criteria)];
  const put = (request: string) => (alone && before.length === 0 ? request : `${heading}\n${request}`);
  const shown = examples.flatMap(([request, reply]): Message[] => [
    { role: "user", content: put(request) },
    { role: "assistant", content: reply },
  ]);
  return [
    { role: "system", content: parts.length > 0 ? `${instructions}\n${delimiter.rule}` : instructions },
    ...(context?.conversation ?? shown),
    { role: "user", content: [...before, put(prompt)].join("\n\n") },
  ];
}

/** Said by the caller too. */
function criteriaPart(criteria: readonly string[] = []): string[] {
  if (criteria.length === 0) return [];
  return [
    `Decide by these criteria, the most important first:\n${criteria.map((one, i) => `${i + 1}. ${one}`).join("\n")}`,
  ];
}

function contextParts(context: RequestContext = {}, delimiter: Delimiter): string[] {
  const { filePath, code, history, instructions: _, conversation: __, ...others } = context;
  const parts: [label: string, text: string | undefined][] = [
    ["file path", filePath],
    ["code", code],
    ["history", history?.map(turn).join("\n")],
    ...Object.entries(others).map(([name, value]): [string, string] => [
      // Under a name of the caller's choice, but never one that we use ourselves: "proposal A".
      `context ${oneLine(name)}`,
      typeof value === "string" ? value : json(value),
    ]),
  ];
  return parts.flatMap(([label, text]) => (text ? [delimiter.wrap(label, text)] : []));
}

/** One past interaction: `role: content` where it has that form, else as it is. */
function turn(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const { role, content } = (entry ?? {}) as { role?: unknown; content?: unknown };
  return typeof role === "string" && typeof content === "string" ? `${role}: ${content}` : json(entry);
}

const json = (value: unknown) => JSON.stringify(value, null, 2) ?? "";
const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 100);
