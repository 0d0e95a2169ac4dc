import type { Message } from "../model.ts";
import { type AnswerForm, OTHER } from "./answer-schemas.ts";
import { INSTRUCTIONS, kindOfWork } from "./kinds.ts";
import { messages, type Question } from "./messages.ts";

/** Every sentence a model is given. docs/council/prompts.md has the reason for each. */

export function votePrompt(question: Question, form: AnswerForm): readonly Message[] {
  return messages(
    question,
    `You are one of several independent voters. Answer the request as correctly as you can.
First \`rationale\`: work it out in one to three sentences. Then \`answer\`: ${
      answerRule(form) ??
      'the bare answer, as short as possible: a name, a number, a value, yes or no. No sentence, no markup. If it cannot be known, "unknown".'
    }
Only \`answer\` is counted.`,
  );
}

/** `seat` from 1: the perspectives are used in turn. */
export function seatPrompt(question: Question, form: AnswerForm, seat: number): readonly Message[] {
  const { seat: task, perspectives } = INSTRUCTIONS[kindOfWork(question, form.choices)];
  return messages(
    question,
    `You hold one seat of a council that answers the request. The other seats do not see you.
First \`proposal\`: your full answer in markdown. ${task} Look with particular care at ${perspectives[(seat - 1) % perspectives.length]}. If something needed is missing, say what.
Then \`answer\`: ${answerRule(form) ?? "your conclusion in at most ten words."}`,
  );
}

export function judgePrompt(
  question: Question,
  proposals: readonly { label: string; text: string }[],
  form: AnswerForm,
  k: number,
): readonly Message[] {
  const { decision } = INSTRUCTIONS[kindOfWork(question, form.choices)];
  return messages(
    question,
    `You are the judge of a council. Its members answered the request independently; their proposals are anonymous and in random order.
First compare: \`consensus\` is what they agree on, \`contradictions\` where they exclude each other, \`gaps\` what all of them miss, \`dissent\` what a minority holds and why. A conclusion is agreed when it leads by ${k}.
Then \`decision\`: the final answer in markdown, complete in itself, on the merits and not by length, order or number. ${decision}
Last \`answer\`: ${verdictRule(form)}
If the proposals contradict each other so that following the wrong one would do harm, and you cannot settle it, begin \`decision\` with "RED FLAG:" and say what must be settled.`,
    (delimiter) => proposals.map(({ label, text }) => delimiter.wrap(`proposal ${label}`, text)),
  );
}

export function rankPrompt(
  question: Question,
  proposals: readonly { label: string; text: string }[],
): readonly Message[] {
  return messages(
    question,
    `You are a member of a council. Rank the proposals of other members; they are anonymous and in random order.
First \`rationale\`: compare them in a few sentences, on the merits and not by length, order or style. Then \`ranking\`: the labels of all ${proposals.length} proposals, the best first.`,
    (delimiter) => proposals.map(({ label, text }) => delimiter.wrap(`proposal ${label}`, text)),
  );
}

export function decomposePrompt(question: Question): readonly Message[] {
  return messages(
    question,
    `Decompose the task in the request into the smallest steps that can each be done and checked on their own.
\`task\` is the task in one line. In \`steps\`, \`id\` counts 1, 2, 3 and so on; \`action\` says exactly what to do; \`input\` and \`output\` what the step takes and produces (null where nothing); \`dependencies\` the ids of earlier steps that must be finished first. \`total_steps\` is the number of steps.`,
  );
}

export function equivalencePrompt(question: Question, a: string, b: string): readonly Message[] {
  const delimiter = question.newDelimiter();
  return [
    {
      role: "system",
      content: `Two answers to one question are given. First \`rationale\`: compare them in one sentence. Then \`same\`: true only if they give the same answer in other words; if one is more specific, adds a condition or differs in any fact, it is false.
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
      content: `Reword the question so that it asks exactly the same thing more clearly, in the same language. Keep every name, number and option. Do not answer it.
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
      content: `Choose the tool that fits the request. Do not answer it. First \`rationale\`: one sentence. Then \`tool\`:
${tools.map(({ tool, suits }) => `\`${tool}\` if the request ${suits}.`).join("\n")}
${delimiter.rule}`,
    },
    { role: "user", content: delimiter.wrap("request", question.prompt) },
  ];
}

const listed = (choices: readonly string[]) => choices.map((choice) => JSON.stringify(choice)).join(", ");

/** How `answer` is to be given; undefined where it is free text. */
function answerRule({ choices, object }: AnswerForm): string | undefined {
  if (object) return OBJECT_RULE;
  return choices.length > 0 ? pickRule(choices) : undefined;
}

function verdictRule({ choices, object }: AnswerForm): string {
  if (object) return OBJECT_RULE;
  return choices.length > 0 ? oneOfThese(choices) : "the decision in at most ten words.";
}

const OBJECT_RULE =
  "the answer as an object of the schema given. Values are bare and as short as they can be, with the spelling in common use; the field descriptions say more.";

const pickRule = (choices: readonly string[]) =>
  `exactly one of ${listed([...choices, OTHER])}. Only if none of them is right, it is "${OTHER}", and \`other\` is the bare right answer; else \`other\` is null.`;

const oneOfThese = (choices: readonly string[]) =>
  `one of ${listed(choices)}, or the decision in at most ten words.`;

/** Added to the instructions of voters and seats that may call tools; the sentence about material follows. */
export const TOOLS_RULE =
  "You can call tools to look up facts before you answer; call none that is not needed.";

/** After the last round, below what the tools returned. */
export const ANSWER_DUE = "No more tools can be called. Answer now.";
