import type { CallGuard, Log } from "@mci-ts/council";
import type { Claim } from "../store/task-records.ts";
import type { TaskStore } from "../store/task-store.ts";
import type { LiveTask } from "./live-tasks.ts";
import type { retryWhileUnavailable } from "./retry-while-unavailable.ts";

export interface CallGuardOptions {
  readonly store: Pick<TaskStore, "reserveCalls" | "countCrash" | "forgetCrash">;
  readonly claim: Claim;
  readonly live: Pick<LiveTask, "abort">;
  readonly retry: typeof retryWhileUnavailable;
  /** The task has a budget of calls. */
  readonly limited: boolean;
  /** The process that ran the task before ended without a word, and that was counted as a crash of the task. */
  readonly suspected: boolean;
  readonly log: Log;
}

export interface TaskCallGuard extends CallGuard {
  /** The step of so many calls is recorded. */
  settle(calls: number): void;
}

/**
 * Records what the next instance must know if this one ends without a word. How many calls may be open: before they are made, and
 * only where the task has a budget and more are open than ever before, so that few steps cost a statement. And, at the first step
 * after such an end, whether this process evaluates what belongs to the task, or only waits for a model: a process that is killed
 * while it waits says nothing about the task.
 */
export function createCallGuard(options: CallGuardOptions): TaskCallGuard {
  const { store, claim, live, retry, limited, log } = options;
  let { suspected } = options;
  let open = 0;
  let reserved = 0;
  let reserving: Promise<void> | undefined;
  let counted = suspected;
  let writes: Promise<unknown> = Promise.resolve();

  return {
    async before() {
      open++;
      while (limited && open > reserved) {
        reserving ??= reserve().finally(() => {
          reserving = undefined;
        });
        await reserving;
      }
      if (suspected && counted) await setCounted(false);
    },
    async after() {
      if (!suspected) return;
      if (!counted) await setCounted(true);
      // A process that is still there after a few turns has survived the reply.
      setTimeout(() => {
        if (suspected && counted) setCounted(false).catch((error: Error) => log(`tasks: ${error.message}`));
      }, EVALUATION_MS).unref();
    },
    settle(calls) {
      open = Math.max(0, open - calls);
      suspected = false;
    },
  };

  async function reserve(): Promise<void> {
    // Calls that begin together are reserved together.
    await Promise.resolve();
    const calls = open;
    if (await retry(() => store.reserveCalls(claim, calls))) reserved = calls;
    else {
      live.abort();
      throw new Error(`task ${claim.id} belongs to another execution`);
    }
  }

  function setCounted(crash: boolean): Promise<unknown> {
    counted = crash;
    const write = () =>
      retry<unknown>(() => (crash ? store.countCrash(claim.id) : store.forgetCrash(claim.id)));
    writes = writes.then(write, write);
    return writes;
  }
}

const EVALUATION_MS = 50;
