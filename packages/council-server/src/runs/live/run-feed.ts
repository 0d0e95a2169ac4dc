import type { RunSummary } from "../../api/run-schemas.ts";
import type { Store } from "../../store/store.ts";

/** Runs of a list that are looked at: those that change are among the newest. */
const NEWEST = 100;
/** Changes that come faster than this are read together. */
const GATHER_MS = 150;
/** Other instances say nothing of their runs: the list is read again, once for all clients. */
const SHARED_MS = 2000;

/** Tells who watches the list of runs which of them began or ended, with one read of the list for all who watch. */
export class RunFeed {
  readonly #store: Store;
  readonly #watchers = new Set<(runs: readonly RunSummary[]) => void>();
  #known: Map<string, string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Changed runs, oldest first, until the client leaves. */
  async *follow(client: AbortSignal): AsyncGenerator<readonly RunSummary[]> {
    const queue: (readonly RunSummary[])[] = [];
    let wake = Promise.withResolvers<void>();
    const watcher = (runs: readonly RunSummary[]) => {
      queue.push(runs);
      wake.resolve();
    };
    const stop = () => wake.resolve();
    client.addEventListener("abort", stop, { once: true });
    this.#add(watcher);
    try {
      while (!client.aborted) {
        yield* queue.splice(0);
        if (queue.length > 0) continue;
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    } finally {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#stop();
    }
  }

  #add(watcher: (runs: readonly RunSummary[]) => void): void {
    this.#watchers.add(watcher);
    if (this.#unsubscribe) return;
    this.#unsubscribe = this.#store.onRunChange(() => this.#schedule(GATHER_MS));
    // Runs of before are not reported.
    this.#schedule(0);
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#known = undefined;
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#read(), ms);
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    try {
      const runs = await this.#store.list({ limit: NEWEST });
      const before = this.#known;
      this.#known = new Map(runs.map(({ id, status }) => [id, status]));
      const changed = before ? runs.filter(({ id, status }) => before.get(id) !== status) : [];
      if (changed.length > 0) for (const watcher of this.#watchers) watcher(changed.toReversed());
    } catch {
      // A history that cannot be read is reported where it is asked for; the next change is tried again.
    }
    if (this.#store.shared && this.#watchers.size > 0) this.#schedule(SHARED_MS);
  }
}
