import { setTimeout as sleep } from "node:timers/promises";
import type { TaskWatch } from "@mci-ts/council";
import type { LiveTasks } from "./runner/live-tasks.ts";

export interface TaskWatchers {
  watch(id: string, signal: AbortSignal): TaskWatch;
  /** Looks once for all tasks that are watched and run elsewhere, in one statement. Without any it asks nothing. */
  look(): Promise<void>;
}

/**
 * Tells those who follow tasks when to read them again. What runs here says so itself; of what runs elsewhere, or waits for a person, an
 * instance compares a mark from time to time, however many follow it.
 */
export function createTaskWatchers(
  live: Pick<LiveTasks, "get">,
  readMarks: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): TaskWatchers {
  const watched = new Map<string, WatchedTask>();
  return {
    watch(id, signal) {
      const task = watched.get(id) ?? new WatchedTask();
      watched.set(id, task);
      task.watchers++;
      signal.addEventListener("abort", () => --task.watchers === 0 && watched.delete(id), { once: true });
      let seen = task.version;
      return {
        async changed(waitMs) {
          if (task.version === seen) {
            const waited = sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
            await Promise.race([live.get(id)?.changed, task.changed, waited].filter(Boolean));
          }
          seen = task.version;
        },
      };
    },
    async look() {
      const ids = [...watched.keys()];
      const elsewhere = ids.filter((id) => live.get(id) === undefined);
      const marks = elsewhere.length === 0 ? new Map<string, string>() : await readMarks(elsewhere);
      // One that has begun to run here has no mark any more: those who wait for it learn that, too.
      for (const id of ids) watched.get(id)?.setMark(marks.get(id));
    },
  };
}

class WatchedTask {
  watchers = 0;
  version = 0;
  #mark: string | undefined = "not read yet";
  #next = Promise.withResolvers<void>();

  /** Resolves with the next version. */
  get changed(): Promise<void> {
    return this.#next.promise;
  }

  setMark(mark: string | undefined): void {
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.version++;
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }
}
