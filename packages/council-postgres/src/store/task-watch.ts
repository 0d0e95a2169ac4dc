import type { Database, Queryable } from "../database/database.ts";
import type { Instance } from "../instances/instance.ts";
import { hasPendingTasks } from "../tasks/store/task-store.ts";

/**
 * Looks for tasks that are not over or are started by a schedule, until they can go on here. What runs tasks takes connections and asks for work several times a
 * second: an instance of a service without tasks does without it.
 */
export function watchTasks(database: Database, instance: Instance, open: () => Promise<unknown>): void {
  let isDone = false;
  async function look(on: Queryable): Promise<void> {
    if (isDone || !(await hasPendingTasks(on))) return;
    isDone = true;
    // Not awaited: a sweep must not wait for it.
    open().catch(() => {
      isDone = false;
    });
  }
  instance.onSweep(look);
  // The next sweep looks again.
  look(database).catch(() => undefined);
}
