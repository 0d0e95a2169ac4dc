import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";

/**
 * Measures how long the event loop of a process is blocked, in which it responds to nothing. Processor time is measured, because a
 * process beside other tests waits longer for its turn than any request takes. All threads count, so that the truth is below.
 */
const METER = `
  let last = process.cpuUsage();
  let worst = 0;
  setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
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
