import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the condition holds; fails after a time that no healthy run needs. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = String(holds),
  timeoutMs = 30_000,
): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await holds()); await sleep(10))
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
}
