import type { CallRecord } from "./types.ts";

/** Calls remembered, and the size of an input that is shown whole. */
const MAX_CALLS = 500;
const MAX_INPUT_CHARS = 20_000;

type Listener = (record: CallRecord) => void;

/** The latest calls, and those who subscribe to new ones. Lives in memory only. */
export class CallLog {
  readonly #calls = new Map<number, CallRecord>();
  readonly #listeners = new Set<Listener>();
  #last = 0;

  /** Newest first. */
  list(): CallRecord[] {
    return [...this.#calls.values()].reverse();
  }

  start(tool: string, input: unknown, by: CallRecord["by"]): number {
    const id = ++this.#last;
    this.#set({
      id,
      tool,
      by,
      started_at: new Date().toISOString(),
      state: "running",
      input: shorten(input),
    });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    return id;
  }

  end(id: number, outcome: Pick<CallRecord, "state" | "duration_ms" | "error">): void {
    const record = this.#calls.get(id);
    if (record) this.#set({ ...record, ...outcome });
  }

  /** Calls `listener` with every change until `signal` aborts. */
  watch(listener: Listener, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #set(record: CallRecord): void {
    this.#calls.set(record.id, record);
    for (const listener of this.#listeners) listener(record);
  }
}

function shorten(input: unknown): unknown {
  const text = JSON.stringify(input) ?? "null";
  return text.length <= MAX_INPUT_CHARS ? input : `${text.slice(0, MAX_INPUT_CHARS)}…`;
}
