import type { HttpExchange } from "mci-ts";
import { matchesText } from "./match-text.ts";
import { PendingInputs } from "./pending-inputs.ts";
import type { CallDetail, CallRecord } from "./types.ts";

/** Calls remembered, and the size of an input that is shown whole in the list. */
const MAX_CALLS = 500;
const MAX_INPUT_CHARS = 20_000;
/** Requests of one call that are remembered; one that reads a thousand pages makes a thousand. */
const MAX_EXCHANGES = 50;
/** Characters of what is remembered of one call, and of all. The oldest are dropped first, and say so. */
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

/** The latest calls with what was sent and received, and those who subscribe to new ones. Lives in memory only. */
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
  #size = 0;
  #last = 0;

  /** Newest first. */
  list({ text = "", tool, state, by }: CallFilter = {}): CallRecord[] {
    return [...this.#calls.values()]
      .reverse()
      .filter(
        (call) =>
          (tool === undefined || call.tool === tool) &&
          (state === undefined || call.state === state) &&
          (by === undefined || call.by === by) &&
          (text === "" || matchesText(text, [JSON.stringify(call), this.#details.get(call.id) ?? ""])),
      );
  }

  /** A call with all that is known of it. */
  detail(id: number): CallDetail | undefined {
    const record = this.#calls.get(id);
    if (record === undefined) return undefined;
    const stored = this.#details.get(id);
    if (stored !== undefined) return { ...record, ...(JSON.parse(stored) as Detail) };
    const running = this.#running.get(id);
    return { ...record, ...(running ?? { exchanges: [], is_dropped: true }) };
  }

  start(tool: string, input: unknown, by: CallRecord["by"]): number {
    const id = ++this.#last;
    this.#running.set(id, { exchanges: [], dropped_exchanges: 0 });
    this.#set({
      id,
      tool,
      by,
      started_at: new Date().toISOString(),
      state: "running",
      input: shorten(input),
    });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) {
      this.#calls.delete(oldest);
      this.#running.delete(oldest);
      this.#drop(oldest);
    }
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
    this.#store(id, { ...(running ?? { exchanges: [] }), ...(result === undefined ? {} : { result }) });
    this.#set({ ...record, ...outcome });
  }

  /** Calls `listener` with every change until `signal` aborts. */
  watch(listener: Listener, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #store(id: number, detail: Detail): void {
    const whole = JSON.stringify(detail);
    const text =
      whole.length <= MAX_DETAIL_CHARS
        ? whole
        : JSON.stringify({ exchanges: [], request: detail.request, too_large: whole.length });
    if (text.length > MAX_DETAIL_CHARS) return;
    this.#details.set(id, text);
    this.#size += text.length;
    for (const oldest of this.#details.keys()) {
      if (this.#size <= MAX_TOTAL_CHARS) break;
      this.#drop(oldest);
    }
  }

  #drop(id: number): void {
    this.#size -= this.#details.get(id)?.length ?? 0;
    this.#details.delete(id);
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
