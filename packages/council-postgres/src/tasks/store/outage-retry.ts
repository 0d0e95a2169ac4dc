/** How a task that was paused because its provider could not be reached resumes by itself. */
export interface RetryOptions {
  /** Times in a row, without a decided step between them. 0: never. */
  readonly limit: number;
  /** Before the first; each further wait is twice as long, up to a quarter of an hour. */
  readonly firstMs: number;
}

export const DEFAULT_RETRY: RetryOptions = { limit: 100, firstMs: 30_000 };

/** Pauses in a row, and how many steps were recorded at the last one. */
export interface Outages {
  readonly outages: number;
  readonly atStep: number | null;
}

export interface NextOutage extends Outages {
  /** undefined: it waits for a person. */
  readonly delayMs?: number;
  /** What the reason of the pause says once the limit is reached. */
  readonly exhausted?: string;
}

/** Tasks that were paused by one outage come back one after the other: the wait varies by a quarter. */
export function nextOutage(
  before: Outages,
  steps: number,
  { limit, firstMs }: RetryOptions = DEFAULT_RETRY,
  random: () => number = Math.random,
): NextOutage {
  const outages = before.atStep === steps ? before.outages + 1 : 1;
  if (limit === 0) return { outages, atStep: steps };
  if (outages > limit)
    return {
      ...{ outages, atStep: steps },
      exhausted: `It has resumed ${limit} times without a decided step; resume it when the provider can be reached.`,
    };
  const delayMs = Math.min(MAX_DELAY_MS, firstMs * 2 ** (outages - 1)) * (0.75 + random() / 2);
  return { outages, atStep: steps, delayMs: Math.round(delayMs) };
}

const MAX_DELAY_MS = 15 * 60_000;
