import type { HttpExchange } from "mci-ts";
import type { CallDetail, CallRecord, CallStorage } from "../types.ts";
import type { CallStore } from "./call-store.ts";
import { matchesText } from "./match-text.ts";
import { PendingInputs } from "./pending-inputs.ts";

/** Calls remembered, and the size of an input that is shown whole in the list. */
export const MAX_CALLS = 500;
const MAX_INPUT_CHARS = 20_000;
/** Requests of one call that are remembered; one that reads a thousand pages makes a thousand. */
const MAX_EXCHANGES = 50;
/** Characters of what is remembered of one call, and of all in memory. The oldest are dropped first, and say so. */
const MAX_DETAIL_CHARS = 12 * 1024 * 1024;
const MAX_TOTAL_CHARS = 64 * 1024 * 1024;

type Listener = (record: CallRecord) => void;
type Detail = Omit<CallDetail, keyof CallRecord>;

export interface CallFilter {
  readonly text?: string;
  readonly tool?: string;
  readonly state?: string;
  readonly by?: string;
}

/** The latest calls with what was sent and received, and those who subscribe to new ones. In memory, and in a store where there is one. */
export class CallLog {
  /** What running calls wait for. */
  readonly inputs = new PendingInputs();
  readonly #calls = new Map<number, CallRecord>();
  readonly #running = new Map<
    number,
    { request?: unknown; exchanges: HttpExchange[]; dropped_exchanges: number }
  >();
  /** As JSON: its size is known, and nothing changes it. */
  readonly #details = new Map<number, string>();
  readonly #listeners = new Set<Listener>();
  #store: CallStore | undefined;
  #storeError: string | undefined;
  #size = 0;
  #last = 0;

  /** `store`: where calls outlive the process. Default: they do not. `storeError`: why there is none. */
  constructor({
    store,
    storeError,
  }: { store?: CallStore | undefined; storeError?: string | undefined } = {}) {
    this.#store = store;
    this.#storeError = storeError;
    for (const record of this.#stored((calls) => calls.load(MAX_CALLS)) ?? [])
      this.#calls.set(record.id, record);
  }

  /** Where the calls are, for a person. */
  get storage(): CallStorage {
    return {
      place: this.#store?.place ?? "memory",
      ...(this.#storeError === undefined ? {} : { error: this.#storeError }),
    };
  }

  /** Newest first. */
  list({ text = "", tool, state, by }: CallFilter = {}): CallRecord[] {
    return [...this.#calls.values()]
      .reverse()
      .filter(
        (call) =>
          (tool === undefined || call.tool === tool) &&
          (state === undefined || call.state === state) &&
          (by === undefined || call.by === by) &&
          (text === "" || matchesText(text, [JSON.stringify(call), this.#detailText(call.id) ?? ""])),
      );
  }

  /** A call with all that is known of it. */
  detail(id: number): CallDetail | undefined {
    const record = this.#calls.get(id);
    if (record === undefined) return undefined;
    const text = this.#detailText(id);
    if (text !== undefined) return { ...record, ...(JSON.parse(text) as Detail) };
    const running = this.#running.get(id);
    return { ...record, ...(running ?? { exchanges: [], is_dropped: true }) };
  }

  /** `isPrivate`: it is never stored. */
  start(tool: string, input: unknown, by: CallRecord["by"], { isPrivate = false } = {}): number {
    const id = this.#stored((calls) => calls.nextId()) ?? this.#last + 1;
    this.#last = id;
    this.#running.set(id, { exchanges: [], dropped_exchanges: 0 });
    this.#set({
      id,
      tool,
      by,
      started_at: new Date().toISOString(),
      state: "running",
      input: shorten(input),
      ...(isPrivate && this.#store ? { is_private: true } : {}),
    });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#forget(oldest);
    return id;
  }

  /** The exact request or command of a call. */
  setRequest(id: number, request: unknown): void {
    const running = this.#running.get(id);
    if (running) running.request = request;
  }

  addExchange(id: number, exchange: HttpExchange): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    if (running.exchanges.length < MAX_EXCHANGES) running.exchanges.push(exchange);
    else running.dropped_exchanges += 1;
  }

  end(
    id: number,
    outcome: Pick<CallRecord, "state" | "duration_ms" | "error">,
    result?: CallDetail["result"],
  ): void {
    const record = this.#calls.get(id);
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (record === undefined) return;
    const detail = bounded({
      ...(running ?? { exchanges: [] }),
      ...(result === undefined ? {} : { result }),
    });
    this.#remember(id, detail);
    this.#set({ ...record, ...outcome }, detail);
  }

  /** Forgets every call that is over, here and in the store. */
  async clear(): Promise<void> {
    for (const { id, state } of [...this.#calls.values()]) if (state !== "running") this.#forget(id);
    await this.#store?.clear();
  }

  /** Waits for what is being stored. */
  async close(): Promise<void> {
    await this.#store?.close();
  }

  /** Calls `listener` with every change until `signal` aborts. */
  watch(listener: Listener, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #remember(id: number, detail: string): void {
    this.#details.set(id, detail);
    this.#size += detail.length;
    for (const oldest of this.#details.keys()) {
      if (this.#size <= MAX_TOTAL_CHARS) break;
      this.#drop(oldest);
    }
  }

  #detailText(id: number): string | undefined {
    return this.#details.get(id) ?? this.#stored((calls) => calls.detail(id));
  }

  #forget(id: number): void {
    this.#calls.delete(id);
    this.#running.delete(id);
    this.#drop(id);
    this.#stored((calls) => calls.remove(id, (error) => this.#stop(error)));
  }

  #drop(id: number): void {
    this.#size -= this.#details.get(id)?.length ?? 0;
    this.#details.delete(id);
  }

  #set(record: CallRecord, detail?: string): void {
    this.#calls.set(record.id, record);
    if (!record.is_private) this.#stored((calls) => calls.save(record, detail, (error) => this.#stop(error)));
    for (const listener of this.#listeners) listener(record);
  }

  /** A store that fails is not asked again: the calls go on in memory, and the page says so. */
  #stored<T>(use: (store: CallStore) => T): T | undefined {
    try {
      return this.#store && use(this.#store);
    } catch (error) {
      this.#stop(error as Error);
      return undefined;
    }
  }

  #stop(error: Error): void {
    this.#store = undefined;
    this.#storeError = error.message;
  }
}

function bounded(detail: Detail): string {
  const whole = JSON.stringify(detail);
  if (whole.length <= MAX_DETAIL_CHARS) return whole;
  const part = JSON.stringify({ exchanges: [], request: detail.request, too_large: whole.length });
  return part.length <= MAX_DETAIL_CHARS ? part : JSON.stringify({ exchanges: [], too_large: whole.length });
}

function shorten(input: unknown): unknown {
  const text = JSON.stringify(input) ?? "null";
  return text.length <= MAX_INPUT_CHARS ? input : `${text.slice(0, MAX_INPUT_CHARS)}…`;
}
