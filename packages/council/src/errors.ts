import type { Usage } from "./result.ts";

/** Every way a run can end without a result, and what it means. */
export const COUNCIL_ERROR_CODES = {
  invalid_request: "The request says something the council does not understand.",
  context_length_exceeded: "The request is longer than the context window of a model.",
  all_calls_failed: "No call to the model brought an answer.",
  no_valid_answer: "The model answered, but every answer was red-flagged.",
  no_quorum: "Too few seats of the council brought a proposal.",
  invalid_decomposition: "No sample was a well-formed decomposition.",
  undecided: "The votes on an action do not agree, and the settings want an error then.",
  budget_exhausted: "A limit on calls, tokens or money was reached before there was anything to show.",
  deadline_exceeded: "The deadline passed before there was anything to show.",
  cancelled: "The caller's signal cancelled the run.",
} as const;

export type CouncilErrorCode = keyof typeof COUNCIL_ERROR_CODES;

/** One thing wrong with a request, and where. */
export interface RequestProblem {
  /** Path in the request, e.g. `config.k`. */
  readonly path: string;
  /** A whole sentence: which field, what it may be, what it is. */
  readonly message: string;
}

/** Thrown where there is nothing honest to return. */
export class CouncilError extends Error {
  override readonly name = "CouncilError";
  readonly code: CouncilErrorCode;
  /** With `invalid_request`: every problem found. */
  readonly problems: readonly RequestProblem[];
  /** When the provider may take calls again, where it said so. */
  readonly retryAfterMs?: number;
  /** What the failed run spent, filled in when it ends. Absent when it never began. */
  usage?: Usage;

  constructor(
    code: CouncilErrorCode,
    message: string,
    options: { cause?: unknown; problems?: readonly RequestProblem[]; retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.problems = options.problems ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }
}
