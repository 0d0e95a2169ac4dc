import { followEvents } from "../../../api/events.ts";

/** When a run is looked at again if nothing is heard of it. */
const LOOK_MS = [300, 700, 1000, 2000, 5000];
const MAX_REMEMBERED = 500;

/**
 * Hears which runs have ended, over one connection: browsers slow down the timers of tabs that are not looked at, and not what comes from
 * a server. Where the stream is refused, timers remain.
 */
export class RunEnds {
  readonly #controller = new AbortController();
  readonly #waiting = new Map<string, () => void>();
  readonly #ended = new Set<string>();

  constructor() {
    followEvents("runs/events", {
      signal: this.#controller.signal,
      isLast: () => false,
      onEvent: ({ data }) => {
        const { run } = JSON.parse(data) as { run: { id: string; status: string } };
        if (run.status === "running") return;
        this.#ended.add(run.id);
        if (this.#ended.size > MAX_REMEMBERED) this.#ended.delete(this.#ended.values().next().value!);
        this.#waiting.get(run.id)?.();
      },
    }).catch(() => undefined);
  }

  async nextLook(id: string, look: number, signal: AbortSignal): Promise<void> {
    if (this.#ended.delete(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_MS[Math.min(look, LOOK_MS.length - 1)]);
    const stop = () => resolve();
    signal.addEventListener("abort", stop, { once: true });
    this.#waiting.set(id, resolve);
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    this.#waiting.delete(id);
    signal.throwIfAborted();
  }

  close(): void {
    this.#controller.abort();
  }
}
