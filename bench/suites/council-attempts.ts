import { median } from "../measure.ts";
import type { Row } from "../suite.ts";

export const ATTEMPTS = 20;

export async function repeat<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < ATTEMPTS; index++) results.push(await work());
  return results;
}

/** The guarantee holds for every attempt, so the worst one counts. */
export function worstBelow(what: string, times: readonly number[], limitMs: number): Row {
  const worst = Math.max(...times);
  return {
    what,
    ours: milliseconds(median(times)),
    target: `< ${limitMs} ms`,
    met: worst < limitMs,
    note: `worst of ${times.length}: ${milliseconds(worst)}`,
  };
}

export const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`;
