import type { OutcomeBasis } from "@mci-ts/council";
import { appendLine, readLines } from "./json-lines.ts";

/** `decided`, or why not: an undecided vote, a run that ended weaker than asked or early, one without an answer. */
export type Verdict = "decided" | "undecided" | "degraded" | "partial" | "failed";

/** One question, answered in one way by one model. */
export interface Result {
  readonly question: string;
  /** The hash of the question when it was asked. */
  readonly hash: string;
  readonly method: string;
  /** Those of a variant, as they were written. */
  readonly settings?: string;
  readonly model: string;
  /** From 1; questions may be asked repeatedly. */
  readonly run: number;
  /** What the run said about its own answer; a baseline always decides. */
  readonly verdict: Verdict;
  readonly answer: unknown;
  readonly correct: boolean;
  /** The chance of being right that the run stated; null where outcomes were not measured, see `MCI_OUTCOMES`. */
  readonly confidence: number | null;
  /** Its 95 % interval. */
  readonly confidence_interval?: readonly [number, number];
  /** The share of votes for the leader; null without votes. */
  readonly agreement: number | null;
  /** Whether the leader was right, which is what a confidence is about; null where that is not known. */
  readonly leader_right: boolean | null;
  /** What the outcome counts for; absent where there was no vote of a model. */
  readonly basis?: OutcomeBasis;
  readonly votes: Readonly<Record<string, number>>;
  /** Votes for a right answer; null where the question names none to compare with. */
  readonly right_votes: number | null;
  /** Calls, with those of the grader. */
  readonly calls: number;
  readonly grading_calls: number;
  readonly cost_usd: number | null;
  readonly seconds: number;
  /** Why there is no answer, or why it could not be graded. */
  readonly error?: string;
}

/** Every result is on disk before the next question is asked, so that a kill loses only what is in flight. */
export class ResultsFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What is there already, the newest of each; failures are left out, so that they are asked again. */
  read(): readonly Result[] {
    const newest = new Map(
      readLines<Result>(this.#path)
        .map(withDefaults)
        .map((result) => [keyOf(result), result]),
    );
    return [...newest.values()].filter(({ error }) => error === undefined);
  }

  append(result: Result): void {
    appendLine(this.#path, result);
  }
}

export function keyOf({
  question,
  hash,
  method,
  model,
  run,
}: Pick<Result, "question" | "hash" | "method" | "model" | "run">): string {
  return JSON.stringify([question, hash, method, model, run]);
}

/** Results of older versions lack these. */
function withDefaults(result: Result): Result {
  const { run = 1, verdict = "decided", agreement = null, leader_right = null } = result;
  return { ...result, run, verdict, agreement, leader_right };
}
