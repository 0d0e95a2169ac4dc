import { CliError } from "../cli-error.ts";

/** A person has so long to log in. */
const TIMEOUT_MS = 10 * 60_000;

export interface LoginDeadline {
  readonly signal: AbortSignal;
  /** The same work; if it fails after the deadline, the error says so, whatever the work makes of an ended signal. */
  end<T>(work: Promise<T>): Promise<T>;
}

export function loginDeadline(name: string | undefined, timeoutMs: number = TIMEOUT_MS): LoginDeadline {
  const signal = AbortSignal.timeout(timeoutMs);
  return {
    signal,
    end: (work) =>
      work.catch((cause: unknown) => {
        if (!signal.aborted) throw cause;
        const which = name === undefined ? "The login" : `The login to '${name}'`;
        throw new CliError(`${which} was not finished within ${timeoutMs / 60_000} minutes.`, {
          hint: "Nothing was stored. Log in again, and finish in the browser before that.",
          cause,
        });
      }),
  };
}
