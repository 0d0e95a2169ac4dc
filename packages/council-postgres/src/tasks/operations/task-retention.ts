import type { Log } from "@mci-ts/council";
import type { TaskStore } from "../store/task-store.ts";
import { TaskError } from "../task-error.ts";
import type { InternalActions } from "./task-actions.ts";

/** Deletes tasks that ended more than so many days ago, a batch at a time. */
export async function deleteExpiredTasks(
  store: TaskStore,
  actions: Pick<InternalActions, "delete">,
  days: number,
  log: Log,
): Promise<void> {
  let deleted = 0;
  for (let ids = await store.expired(days, BATCH); ids.length > 0; ids = await store.expired(days, BATCH)) {
    const before = deleted;
    for (const id of ids) {
      try {
        await actions.delete(id);
        deleted++;
      } catch (error) {
        // Another instance was faster, or a person has resumed it.
        if (!(error instanceof TaskError)) throw error;
      }
    }
    if (deleted === before) break;
  }
  if (deleted > 0) log(`tasks: ${deleted} deleted that ended more than ${days} days ago`, { level: "info" });
}

const BATCH = 100;
