import { answerKey } from "@mci-ts/council/answer-key";
import type { QuestionLine } from "../questions/questions.ts";

/** What an answer is compared with. */
export type Expectation = Pick<QuestionLine, "prompt" | "schema" | "answer" | "accept">;

/** By the same canonical form that votes are counted in; undefined where the question names no answer to compare with. */
export function isAccepted(question: Expectation, answer: string | object): boolean | undefined {
  const { answer: expected, accept = [] } = question;
  const accepted = [...(expected === undefined ? [] : [expected]), ...accept];
  if (accepted.length === 0) return undefined;
  const key = answerKey(question);
  return accepted.some((one) => key(one) === key(answer));
}
