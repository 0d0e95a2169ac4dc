import { setTimeout as sleep } from "node:timers/promises";

/** Waits until it holds; errors count as not yet. False: it did not hold in time. */
export async function waitUntil(
  holds: () => Promise<boolean> | boolean,
  timeoutMs: number,
  intervalMs = 200,
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      if (await holds()) return true;
    } catch {
      // Not yet.
    }
    if (performance.now() > end) return false;
    await sleep(intervalMs);
  }
}

/** As `waitUntil`, where the campaign itself cannot go on without it. */
export async function waitOrThrow(
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs: number,
): Promise<void> {
  if (!(await waitUntil(holds, timeoutMs))) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
}
