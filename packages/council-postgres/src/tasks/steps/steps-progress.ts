import { setImmediate as nextTurn } from "node:timers/promises";
import type { StepsEngine, StepsProgress } from "@mci-ts/council";
import type { TaskStore } from "../store/task-store.ts";

/**
 * Steps between two snapshots of the progress: the state may be large and is written once for all of them; after a crash, and to show
 * a task that runs elsewhere, so many records at most are applied again.
 */
export const SNAPSHOT_STEPS = 250;

/** Where a task stands by its records, from a known progress on. */
export async function recordedProgress(
  store: Pick<TaskStore, "steps">,
  id: string,
  from: StepsProgress,
  engine: Pick<StepsEngine, "apply">,
): Promise<StepsProgress> {
  let progress = from;
  let since = performance.now();
  for (;;) {
    const page = await store.steps(id, progress.step + 1, PAGE);
    for (const { step, record } of page) {
      if (step !== progress.step + 1)
        throw new Error(`step ${progress.step + 1} of task ${id} is missing, but step ${step} is recorded`);
      progress = engine.apply(progress, record);
      // Thousands of steps take a while to apply: other work gets its turn in between.
      if (performance.now() - since < MAX_TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    if (page.length < PAGE) return progress;
  }
}

const PAGE = 1000;
const MAX_TURN_MS = 10;
