import { setTimeout as sleep } from "node:timers/promises";

/** Waits until it holds; errors count as not yet. */
export async function until(holds: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`not true within ${timeoutMs} ms: ${holds}`);
    await sleep(100);
  }
}
