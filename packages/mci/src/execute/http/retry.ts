import { compileCount } from "../../count.ts";
import type { ToolError } from "../../errors.ts";
import { DEFAULT_ATTEMPTS, DEFAULT_BACKOFF_MS } from "../../schema/defaults.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import type { Compile, JsonPath, Scope } from "../../template-api.ts";

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Wait before the second attempt; doubled each time, and shortened at random by up to half. */
  readonly backoffMs: number;
}

export function compileRetries(
  retries: HttpExecution["retries"],
  compile: Compile,
  place: JsonPath,
): (scope: Scope) => RetryPolicy {
  const attempts = compileCount(retries?.attempts, compile, [...place, "attempts"], 1);
  const backoffMs = compileCount(retries?.backoff_ms, compile, [...place, "backoff_ms"]);
  return (scope) => ({
    attempts: attempts(scope) ?? DEFAULT_ATTEMPTS,
    backoffMs: backoffMs(scope) ?? DEFAULT_BACKOFF_MS,
  });
}

/** The time a call has. */
export interface Clock {
  /** Milliseconds until the deadline. */
  remaining(): number;
  /** Rejects when the call is cancelled. */
  sleep(ms: number): Promise<void>;
}

/** A failure that may not happen again. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  readonly error: ToolError;
  /** How long the server asked to wait. */
  readonly afterMs: number | undefined;

  constructor(error: ToolError, afterMs?: number) {
    super(error.message);
    this.error = error;
    this.afterMs = afterMs;
  }
}

/** Repeats `attempt` while it throws `RetryableError`. A wait that would reach the deadline is not begun: the error comes at once. */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  { attempts, backoffMs }: RetryPolicy,
  clock: Clock,
  random: () => number = Math.random,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      const wait = error.afterMs ?? backoffMs * 2 ** (number - 1) * (1 - random() / 2);
      if (number >= attempts || wait >= clock.remaining()) throw error.error;
      await clock.sleep(wait);
    }
  }
}

/** `Retry-After`: seconds or a date. undefined if it is neither. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // Date.parse takes nearly anything for a date, "1.5" for one of 2001.
  const date = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
