/** Ends a command with a message and the next step. Exit code 1: it failed; 2: the arguments are wrong. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;
  readonly misspelled: Misspelling | undefined;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
    this.misspelled = options.misspelled;
  }
}

export interface CliErrorOptions {
  /** What to do next. */
  readonly hint?: string;
  /** Default 1. */
  readonly exitCode?: 1 | 2;
  readonly misspelled?: Misspelling;
  readonly cause?: unknown;
}

/** An unknown name; the error is printed with the closest known one. */
export interface Misspelling {
  readonly name: string;
  readonly among: readonly string[];
}

/** The arguments are wrong. */
export function usageError(message: string, hint?: string, misspelled?: Misspelling): CliError {
  return new CliError(message, { hint, exitCode: 2, misspelled });
}
