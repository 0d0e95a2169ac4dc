import { setTimeout as sleep } from "node:timers/promises";
import type { StoreRecord } from "./records.ts";

export interface WriterStats {
  readonly ok: boolean;
  /** The last error, while writing fails. */
  readonly error?: string;
  readonly queued: number;
  readonly written: number;
  /** Batches whose first write failed. */
  readonly failures: number;
  /** Records dropped: the queue was full, or writing kept failing. */
  readonly dropped: number;
}

const MAX_BATCH_RECORDS = 1000;
const MAX_BATCH_CHARS = 8 * 1024 * 1024;
const BATCH_WINDOW_MS = 20;
const MAX_QUEUED_CHARS = 64 * 1024 * 1024;
const RETRY_DELAY_MS = 1000;
const MAX_ATTEMPTS = 5;

/** Collects records and writes them in batches, one batch at a time. Failures are counted, logged once and retried. */
export class BatchWriter {
  readonly #write: (records: readonly StoreRecord[]) => Promise<void>;
  readonly #log: (message: string) => void;
  /** Such an error ends by itself: its records stay queued and their commits wait. */
  readonly #isTemporary: (error: unknown) => boolean;
  #queue: StoreRecord[] = [];
  #chars = 0;
  /** Records that have left the queue, written or dropped. */
  #finished = 0;
  #flushes: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #running: Promise<void> | undefined;
  /** Ends the wait for more records. */
  #wake: (() => void) | undefined;
  #closing = false;
  #error: string | undefined;
  #temporary = false;
  #written = 0;
  #failures = 0;
  #dropped = 0;

  constructor(
    write: (records: readonly StoreRecord[]) => Promise<void>,
    log: (message: string) => void,
    isTemporary: (error: unknown) => boolean = () => false,
  ) {
    this.#write = write;
    this.#log = log;
    this.#isTemporary = isTemporary;
  }

  get stats(): WriterStats {
    return {
      ok: this.#error === undefined,
      ...(this.#error === undefined ? {} : { error: this.#error }),
      queued: this.#queue.length,
      written: this.#written,
      failures: this.#failures,
      dropped: this.#dropped,
    };
  }

  enqueue(record: StoreRecord): void {
    const size = sizeOf(record);
    if (this.#closing || this.#chars + size > MAX_QUEUED_CHARS) {
      this.#dropped++;
      return;
    }
    this.#queue.push(record);
    this.#chars += size;
    this.#running ??= this.#run(BATCH_WINDOW_MS);
  }

  /** Resolves when everything queued so far is written; at once while writing fails, unless that ends by itself. */
  flush(): Promise<void> {
    if (this.#queue.length === 0 || this.#isFailing()) return Promise.resolve();
    // A caller waits: what has arrived is written now, and what arrives meanwhile with the next batch.
    this.#wake?.();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#flushes.push({ upTo: this.#finished + this.#queue.length, resolve });
    return promise;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#wake?.();
    // While writing fails, one last attempt is all that is left.
    await this.#running;
    if (this.#queue.length > 0) await this.#run(0);
  }

  async #run(waitMs: number): Promise<void> {
    if (waitMs > 0) await this.#gather(waitMs);
    let attempts = 0;
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#write(batch);
        this.#written += batch.length;
        this.#dequeue(batch.length);
        if (this.#error !== undefined) this.#log("history: writing works again");
        this.#error = undefined;
        attempts = 0;
      } catch (error) {
        this.#temporary = this.#isTemporary(error);
        this.#recordFailure(error as Error);
        attempts = this.#temporary ? 0 : attempts + 1;
        if (attempts >= MAX_ATTEMPTS || this.#closing) {
          this.#dequeue(batch.length);
          this.#dropped += batch.length;
          attempts = 0;
        } else await sleep(RETRY_DELAY_MS, undefined, { ref: false });
      }
    }
    this.#running = undefined;
  }

  async #gather(waitMs: number): Promise<void> {
    const woken = Promise.withResolvers<void>();
    const timer = setTimeout(woken.resolve, waitMs);
    this.#wake = woken.resolve;
    await woken.promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  #nextBatch(): readonly StoreRecord[] {
    let chars = 0;
    const end = this.#queue.findIndex((record, index) => {
      chars += sizeOf(record);
      return index > 0 && (index >= MAX_BATCH_RECORDS || chars > MAX_BATCH_CHARS);
    });
    return end === -1 ? [...this.#queue] : this.#queue.slice(0, end);
  }

  #dequeue(count: number): void {
    for (const record of this.#queue.splice(0, count)) this.#chars -= sizeOf(record);
    this.#finished += count;
    this.#releaseFlushes();
  }

  #releaseFlushes(): void {
    const done = (upTo: number) => upTo <= this.#finished || this.#isFailing();
    for (const { upTo, resolve } of this.#flushes) if (done(upTo)) resolve();
    this.#flushes = this.#flushes.filter(({ upTo }) => !done(upTo));
  }

  /** Whether waiting for the records is pointless. */
  #isFailing(): boolean {
    return this.#error !== undefined && !this.#temporary;
  }

  #recordFailure(error: Error): void {
    this.#failures++;
    if (this.#error !== error.message)
      this.#log(`history: cannot write (${error.message}); responses are not affected`);
    this.#error = error.message;
    this.#releaseFlushes();
  }
}

function sizeOf(record: StoreRecord): number {
  return 200 + textOf(record).reduce((sum, text) => sum + text.length, 0);
}

function textOf(record: StoreRecord): readonly string[] {
  switch (record.kind) {
    case "started":
      return [record.request, record.prompt];
    case "event":
      return [record.data];
    case "ended":
      return [record.response];
    case "webhook":
      return [record.url];
    case "webhook_done":
    case "expense":
      return [];
  }
}
