import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";
import { slowness } from "../cpu-time.ts";

/**
 * Measures how long the event loop of a process is blocked, in which it responds to nothing. The processor time of its thread is
 * measured, because a process beside other tests waits longer for its turn than any request takes.
 */
const METER = `
  let last = process.threadCpuUsage();
  let worst = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    worst = Math.max(worst, (user + system) / 1000);
  }, 1).unref();
  process.on("SIGUSR2", () => {
    process.stderr.write("blocked " + Math.round(worst) + " ms\\n");
    worst = 0;
  });`;

/** For the environment of the process. */
export const BLOCK_METER = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(METER)}` };

/** How long a process with the meter was blocked at most since it was asked the last time. */
export async function longestBlock({
  child,
  output,
}: {
  readonly child: ChildProcess;
  readonly output: () => string;
}): Promise<number> {
  const seen = output().length;
  child.kill("SIGUSR2");
  const print = () => /blocked (\d+) ms/.exec(output().slice(seen))?.[1];
  await expect.poll(print, { timeout: 30_000, interval: 5 }).toBeDefined();
  return Number(print());
}

/**
 * Once more, and the least counts, while it is above the limit: a request costs the same each time, what runs beside it does not. The
 * limit is for a machine of usual speed.
 */
export async function leastBlock<Served extends { readonly blockMs: number }>(
  serve: () => Promise<Served>,
  limitMs: number,
): Promise<Served> {
  let least = await serve();
  for (let i = 0; i < 5 && least.blockMs > limitMs; i++) {
    const again = await serve();
    const blockMs = Math.round(again.blockMs / slowness());
    if (blockMs < least.blockMs) least = { ...again, blockMs };
  }
  return least;
}
