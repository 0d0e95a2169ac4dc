import type { BulkAction, BulkResult, TaskFilter } from "@mci-ts/council";
import type { TaskStore } from "../store/task-store.ts";
import { TaskError } from "../task-error.ts";
import type { InternalActions } from "./task-actions.ts";

/** One action on many tasks. One that a task cannot take is reported, and does not stop the others. */
export async function actOnTasks(
  action: BulkAction,
  which: readonly string[] | TaskFilter,
  { store, actions }: { readonly store: TaskStore; readonly actions: InternalActions },
): Promise<BulkResult> {
  const isList = (value: typeof which): value is readonly string[] => Array.isArray(value);
  // One more shows whether there are others.
  const found = isList(which) ? [...new Set(which)] : await store.ids({ ...which, limit: which.limit + 1 });
  const ids = isList(which) ? found : found.slice(0, which.limit);
  const refused: { readonly id: string; readonly message: string }[] = [];
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) {
      try {
        await take(actions, action, id);
      } catch (error) {
        if (!(error instanceof TaskError)) throw error;
        refused.push({ id, message: error.message });
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return {
    action,
    done: ids.length - refused.length,
    refused,
    ...nextPage(),
  };

  /** A task that is gone is not a cursor; the others before it were refused, or are gone as well. */
  function nextPage(): Pick<BulkResult, "more" | "next_cursor"> {
    if (isList(which) || found.length === ids.length) return { more: false, next_cursor: null };
    const left = action === "delete" ? ids.filter((id) => refused.some((one) => one.id === id)) : ids;
    return { more: true, next_cursor: left.at(-1) ?? which.after ?? null };
  }
}

/** How many actions run at a time: a part of the connections to the database. */
const SIDE_BY_SIDE = 4;

const take = (actions: InternalActions, action: BulkAction, id: string): Promise<unknown> =>
  // It does not wait for the open step of each.
  action === "pause" ? actions.requestPause(id) : actions[action](id);
