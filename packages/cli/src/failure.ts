/** Ends a command with a message and the next step. Exit code 1: it did not work out; 2: it was called wrongly. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { hint?: string; exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}

/** The command was called wrongly. */
export function usage(message: string, hint?: string): Failure {
  return new Failure(message, { hint, exitCode: 2 });
}
