import { createHash, randomBytes } from "node:crypto";
import { type CouncilOptions, runCouncil } from "@mci-ts/council";
import type { Question } from "../questions/questions.ts";
import { isAccepted } from "./accepted.ts";
import { isSatisfied, rubricRequest } from "./rubric-request.ts";

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
  question: Question,
  answer: string | object,
  model: string,
  options: CouncilOptions,
): Promise<{ readonly satisfied: boolean; readonly calls: number; readonly cost_usd: number | null }> {
  const random = sameFor(question);
  const { metadata } = await runCouncil(rubricRequest(question, answer, model), { ...options, random });
  const { calls, cost_usd } = metadata.usage;
  return { satisfied: isSatisfied(metadata.answer), calls, cost_usd };
}

/**
 * The same random numbers for every answer to a question: its prompts have the same mark around the material, and servers that cache the
 * beginning of prompts read the question once. No answer can know the mark: it is new in each process, and the judge writes only a verdict.
 */
function sameFor({ hash }: Question): () => number {
  let count = 0;
  return () => createHash("sha256").update(`${SECRET} ${hash} ${count++}`).digest().readUInt32BE() / 2 ** 32;
}

const SECRET = randomBytes(16).toString("hex");
