import {
  type AnswerObject,
  type CouncilOptions,
  canonical,
  compileAnswerSchema,
  runCouncil,
} from "@mci-ts/council";
import type { Question } from "./questions.ts";

/** How often one answer was right, and what it cost to find out. */
export interface Grade {
  readonly correct: boolean;
  /** Calls of the grader. 0 where answers are compared. */
  readonly calls: number;
  readonly cost_usd: number | null;
}

/** By the same canonical form that votes are counted in; by a model where there is only a rubric. */
export async function grade(
  question: Question,
  answer: string | object,
  model: string,
  options: CouncilOptions,
): Promise<Grade> {
  const compared = isAccepted(question, answer);
  if (compared !== undefined) return { correct: compared, calls: 0, cost_usd: 0 };
  // A schema alone: every object that was decided fits it.
  if (question.rubric === undefined) return { correct: true, calls: 0, cost_usd: 0 };
  const { satisfied, calls, cost_usd } = await judge(question, answer, model, options);
  return { correct: satisfied, calls, cost_usd };
}

/** Whether a model finds that the answer satisfies the question's rubric: one more call. */
export async function judge(
  { rubric, prompt }: Question,
  answer: string | object,
  model: string,
  options: CouncilOptions,
): Promise<{ readonly satisfied: boolean; readonly calls: number; readonly cost_usd: number | null }> {
  const { metadata } = await runCouncil(
    {
      prompt: `Does the answer in the context satisfy this rubric?\n${rubric}`,
      context: { question: prompt, answer },
      intent: "validation",
      config: { k: 1, model, answer_schema: VERDICT },
    },
    options,
  );
  const { satisfied } = (metadata.answer ?? {}) as { satisfied?: boolean };
  const { calls, cost_usd } = metadata.usage;
  return { satisfied: satisfied === true, calls, cost_usd };
}

/** undefined where the question names no answer to compare with. */
export function isAccepted(question: Question, answer: string | object): boolean | undefined {
  const { answer: expected, accept = [] } = question;
  const accepted = [...(expected === undefined ? [] : [expected]), ...accept];
  if (accepted.length === 0) return undefined;
  const key = keyOf(question);
  return accepted.some((one) => key(one) === key(answer));
}

/** Equal for answers that are one vote. */
function keyOf({ schema, prompt }: Question): (value: unknown) => string {
  const compiled = schema && compileAnswerSchema(schema);
  return (value) =>
    compiled && typeof value === "object"
      ? compiled.key(value as AnswerObject)
      : canonical(typeof value === "object" ? JSON.stringify(value) : String(value), prompt).key;
}

const VERDICT = {
  type: "object",
  properties: { satisfied: { type: "boolean" } },
  required: ["satisfied"],
};
