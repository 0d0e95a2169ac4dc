import type { StepsProgress } from "@mci-ts/council";
import type { Claim } from "../store/task-records.ts";

/** A task that runs in this process. */
export interface LiveTask {
  readonly claim: Claim;
  readonly signal: AbortSignal;
  /** The progress of a task of steps. */
  progress?: StepsProgress;
  /** Ends its model calls at once. */
  abort(): void;
  /** Tells those who wait for it that something was recorded. */
  notify(): void;
  /** Resolves with the next notification. */
  readonly changed: Promise<void>;
  /** Resolves when it has left. */
  readonly ended: Promise<void>;
}

/** The tasks that run in this process, by id. */
export class LiveTasks {
  readonly #tasks = new Map<string, LiveTask & { readonly leave: () => void }>();

  get(id: string): LiveTask | undefined {
    return this.#tasks.get(id);
  }

  all(): readonly LiveTask[] {
    return [...this.#tasks.values()];
  }

  enter(claim: Claim): LiveTask {
    const controller = new AbortController();
    const { promise: ended, resolve: leave } = Promise.withResolvers<void>();
    let next = Promise.withResolvers<void>();
    const task = {
      claim,
      signal: controller.signal,
      ended,
      leave,
      abort: () => controller.abort(),
      notify() {
        next.resolve();
        next = Promise.withResolvers<void>();
      },
      get changed() {
        return next.promise;
      },
    };
    this.#tasks.set(claim.id, task);
    return task;
  }

  leave({ claim: { id } }: LiveTask): void {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    task?.notify();
    task?.leave();
  }
}
