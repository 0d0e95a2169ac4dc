import type { Message } from "../model.ts";
import type { RequestContext } from "../request.ts";
import { OTHER } from "./answer-schemas.ts";
import type { Delimiter } from "./delimiter.ts";

/** What is asked, with everything the caller gave beside it. */
export interface Question {
  readonly prompt: string;
  readonly context?: RequestContext;
  readonly intent?: string;
  /** One for each prompt. */
  readonly newDelimiter: () => Delimiter;
}

/** The line after which the prompt stands, last in the message, so that material never comes after it. */
export const REQUEST_HEADING = "The request:";

export function votePrompt(question: Question, choices: readonly string[]): readonly Message[] {
  return messages(
    question,
    `You are one of several independent voters. Answer the request on your own, as correctly as you can.
${choices.length > 0 ? pickRule(choices) : "`answer` is the bare answer in as few words as possible: a name, a number, a value, yes or no. No sentence, no markup."}
\`rationale\` is one or two sentences on why. Only \`answer\` is counted.`,
  );
}

export function seatPrompt(
  question: Question,
  choices: readonly string[],
  perspective: string,
): readonly Message[] {
  const task =
    question.intent === "code_review"
      ? "Review the code you are shown: defects first, each with its place and a remedy, then what to improve, then what is good."
      : "Work out the best answer to the request: what you recommend, why, what speaks against it, and when you would choose otherwise.";
  return messages(
    question,
    `You hold one seat of a council that answers the request. The other seats do not see you.
${task} Look with particular care at ${perspective}.
${choices.length > 0 ? pickRule(choices) : "`answer` is your position in at most ten words."}
\`proposal\` is your full answer in markdown. If the request cannot be answered from what you are given, say what is missing.`,
  );
}

export function judgePrompt(
  question: Question,
  proposals: readonly { label: string; text: string }[],
  k: number,
): readonly Message[] {
  const delimiter = question.newDelimiter();
  const material = proposals.map(({ label, text }) => delimiter.wrap(`proposal ${label}`, text)).join("\n\n");
  return [
    {
      role: "system",
      content: `You are the judge of a council. Its members answered the request independently; their proposals are anonymous and in random order.
First compare: \`consensus\` is what they agree on, \`contradictions\` where they exclude each other, \`gaps\` what all of them miss.
\`positions\` groups the proposals by what they conclude: each label in exactly one group. One position should lead by ${k} to count as agreed.
\`dissent\` names, fairly, what the minority holds and why. Then write \`decision\`: the final answer in markdown, complete in itself, on the merits and not by length or order.
If the proposals contradict each other so that following the wrong one would do harm and you cannot resolveSettings it, begin \`decision\` with "RED FLAG:" and say what must be settled.
${delimiter.rule}`,
    },
    {
      role: "user",
      content: [...contextParts(question.context, delimiter), material, ...asked(question)].join("\n\n"),
    },
  ];
}

export function decomposePrompt(question: Question): readonly Message[] {
  return messages(
    question,
    `Decompose the task in the request into the smallest steps that can each be done and checked on their own.
\`task\` is the task in one line. \`steps\` are numbered by \`id\` 1, 2, 3 and so on; \`action\` says exactly what to do; \`input\` and \`output\` what the step takes and produces (null where nothing); \`dependencies\` the ids of the steps that must be finished before, without circles. \`total_steps\` is the number of steps.`,
  );
}

export function equivalencePrompt(question: Question, a: string, b: string): readonly Message[] {
  const delimiter = question.newDelimiter();
  return [
    {
      role: "system",
      content: `Two answers to one question are given. \`same\` is true only if they give the same answer in other words; if one is more specific, adds a condition or differs in any fact, it is false.
${delimiter.rule}`,
    },
    {
      role: "user",
      content: `${delimiter.wrap("question", question.prompt)}\n\n${delimiter.wrap("first answer", a)}\n\n${delimiter.wrap("second answer", b)}`,
    },
  ];
}

export function paraphrasePrompt(question: Question): readonly Message[] {
  const delimiter = question.newDelimiter();
  return [
    {
      role: "system",
      content: `Reword the question so that it asks exactly the same thing more clearly. Keep every name, number and option. Do not answer it.
${delimiter.rule}`,
    },
    { role: "user", content: delimiter.wrap("question", question.prompt) },
  ];
}

export function routePrompt(
  question: Question,
  tools: readonly { readonly tool: string; readonly suits: string }[],
): readonly Message[] {
  const delimiter = question.newDelimiter();
  return [
    {
      role: "system",
      content: `Choose the tool that fits the request. Do not answer it.
${tools.map(({ tool, suits }) => `\`${tool}\` if the request ${suits}.`).join("\n")}
${delimiter.rule}`,
    },
    { role: "user", content: delimiter.wrap("request", question.prompt) },
  ];
}

const pickRule = (choices: readonly string[]) =>
  `\`answer\` is exactly one of: ${[...choices, OTHER].map((choice) => JSON.stringify(choice)).join(", ")}. Only if none of them is right, it is "${OTHER}", and \`other\` is the bare right answer; else \`other\` is null.`;

function messages(question: Question, instructions: string): readonly Message[] {
  const delimiter = question.context && question.newDelimiter();
  const context = delimiter ? contextParts(question.context, delimiter) : [];
  const system = delimiter && context.length > 0 ? `${instructions}\n${delimiter.rule}` : instructions;
  return [
    { role: "system", content: system },
    { role: "user", content: [...context, ...asked(question)].join("\n\n") },
  ];
}

/** What the caller says, as opposed to what the caller shows: it stands outside all fences. */
function asked({ prompt, context }: Question): string[] {
  const how = context?.instructions?.trim() ? [`How to answer:\n${context.instructions}`] : [];
  return [...how, `${REQUEST_HEADING}\n${prompt}`];
}

function contextParts(context: RequestContext = {}, delimiter: Delimiter): string[] {
  const { filePath, code, history, instructions: _, ...others } = context;
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
