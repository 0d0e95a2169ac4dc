/** Ends a command with a message and the next step. Exit code 1: it did not work out; 2: it was called wrongly. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;
  readonly misspelled: Misspelled | undefined;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
    this.misspelled = options.misspelled;
  }
}

export interface FailureOptions {
  /** What to do next. */
  readonly hint?: string;
  /** Default 1. */
  readonly exitCode?: 1 | 2;
  readonly misspelled?: Misspelled;
  readonly cause?: unknown;
}

/** A name that is none of those there are; whoever prints the failure looks for the one that was meant. */
export interface Misspelled {
  readonly given: string;
  readonly among: readonly string[];
}

/** The command was called wrongly. */
export function usage(message: string, hint?: string, misspelled?: Misspelled): Failure {
  return new Failure(message, { hint, exitCode: 2, misspelled });
}
