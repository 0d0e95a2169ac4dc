import { dollars } from "./estimate.ts";
import type { Result } from "./results-file.ts";

export interface ProgressOutput {
  readonly write: (text: string) => void;
  /** Whether lines can be overwritten. */
  readonly isTerminal: boolean;
}

/** Ten lines in a log, one that moves on a terminal. */
const LINES = 10;

/** Shows how far it is, what was spent, and what the whole will cost at this rate. */
export function createProgress(
  { write, isTerminal }: ProgressOutput,
  now: () => number = () => performance.now(),
): (done: number, total: number, results: readonly Result[]) => void {
  const started = now();
  let before: number | undefined;
  let lastPercent = -1;
  return (done, total, results) => {
    before ??= done;
    const text = describe(done, total, results, before, now() - started);
    if (isTerminal) {
      const filled = Math.round((20 * done) / total);
      write(`\r\x1b[K[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${text}${done === total ? "\n" : ""}`);
      return;
    }
    const step = Math.floor((LINES * done) / total);
    if (step > lastPercent) write(`${text}\n`);
    lastPercent = step;
  };
}

function describe(
  done: number,
  total: number,
  results: readonly Result[],
  before: number,
  elapsedMs: number,
): string {
  const costs = results.map(({ cost_usd }) => cost_usd);
  const spent = costs.reduce<number>((sum, usd) => sum + (usd ?? 0), 0);
  const money = costs.includes(null)
    ? "cost unknown"
    : done === 0 || done === total
      ? `${dollars(spent)} spent`
      : `${dollars(spent)} of about ${dollars((spent / done) * total)}`;
  const failed = results.filter(({ error }) => error !== undefined).length;
  // Only what was done in this run says how fast it goes.
  const left = done > before ? ((total - done) * elapsedMs) / (done - before) / 1000 : 0;
  return [
    `${done}/${total}`,
    money,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left >= 1 ? [`${Math.ceil(left)} s left`] : []),
  ].join(", ");
}
