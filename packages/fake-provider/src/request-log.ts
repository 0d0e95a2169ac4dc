import type { ReplyKind } from "./script.ts";

/** How a request ended. "aborted": the client closed the connection before the reply was complete. */
export type Ending = "answered" | "aborted" | "cut" | "refused";

export interface LogEntry {
  /** Order of arrival, from 0. */
  readonly number: number;
  readonly model: string;
  readonly temperature: number | null;
  readonly structured: boolean;
  readonly reply: ReplyKind;
  /** As it came; only with `recordBodies`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the provider started. */
  readonly arrived_ms: number;
  readonly ended_ms: number | null;
  readonly ending: Ending | null;
}

export interface RequestStats {
  readonly arrivals: number;
  readonly in_flight: number;
  /** Highest number of requests open at the same time. */
  readonly peak_in_flight: number;
  readonly answered: number;
  readonly aborted: number;
  readonly cut: number;
  readonly refused: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Arrivals and endings, in memory, the newest `capacity` entries; the counts cover all. */
export class RequestLog {
  readonly #entries: Writable<LogEntry>[] = [];
  readonly #capacity: number;
  readonly #started = performance.now();
  readonly #endings: Record<Ending, number> = { answered: 0, aborted: 0, cut: 0, refused: 0 };
  #arrivals = 0;
  #inFlight = 0;
  #peak = 0;

  constructor(capacity = 10_000) {
    this.#capacity = capacity;
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  get stats(): RequestStats {
    return {
      arrivals: this.#arrivals,
      in_flight: this.#inFlight,
      peak_in_flight: this.#peak,
      ...this.#endings,
    };
  }

  nextNumber(): number {
    return this.#arrivals;
  }

  /** Notes an arrival; call the returned function once, when the request is over. */
  arrive(
    entry: Pick<LogEntry, "model" | "temperature" | "structured" | "reply" | "body" | "headers">,
  ): (ending: Ending) => void {
    const logged: Writable<LogEntry> = {
      ...entry,
      number: this.#arrivals++,
      arrived_ms: this.#now(),
      ended_ms: null,
      ending: null,
    };
    this.#entries.push(logged);
    if (this.#entries.length > this.#capacity) this.#entries.shift();
    this.#peak = Math.max(this.#peak, ++this.#inFlight);
    return (ending) => {
      if (logged.ending) return;
      logged.ending = ending;
      logged.ended_ms = this.#now();
      this.#endings[ending]++;
      this.#inFlight--;
    };
  }

  clear(): void {
    this.#entries.length = 0;
    this.#arrivals = 0;
    this.#peak = this.#inFlight;
    for (const ending of Object.keys(this.#endings) as Ending[]) this.#endings[ending] = 0;
  }

  #now(): number {
    return performance.now() - this.#started;
  }
}
