import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@mci-ts/council";
import type { WriteErrorKind } from "./backend.ts";
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
/** Runs end soon after their last record: theirs is among the last. */
const MAX_DROP_REASONS = 10_000;
/** Runs that one line of the log names. */
const MAX_NAMED = 5;

/**
 * Collects records and writes them in batches, one batch at a time. Failures are counted, logged once and retried. A batch that can
 * never be written is divided until only the records are left out that are the cause.
 */
export class BatchWriter {
  readonly #write: (records: readonly StoreRecord[]) => Promise<void>;
  readonly #log: Log;
  readonly #kindOfError: (error: unknown) => WriteErrorKind | undefined;
  #queue: StoreRecord[] = [];
  #chars = 0;
  /** Records that have left the queue, written or dropped. */
  #finished = 0;
  #flushes: (PromiseWithResolvers<void> & { readonly upTo: number })[] = [];
  #running: Promise<void> | undefined;
  /** Ends the wait for more records. */
  #wake: (() => void) | undefined;
  #closing = false;
  #error: string | undefined;
  #temporary = false;
  /** Why this process will never write again. */
  #lost: Error | undefined;
  #written = 0;
  #failures = 0;
  #dropped = 0;
  /** Why records of a run were dropped, by its id; of the last runs. */
  readonly #dropReasons = new Map<string, string>();

  constructor(
    write: (records: readonly StoreRecord[]) => Promise<void>,
    log: Log,
    kindOfError: (error: unknown) => WriteErrorKind | undefined = () => undefined,
  ) {
    this.#write = write;
    this.#log = log;
    this.#kindOfError = kindOfError;
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
    if (this.#closing || this.#lost || this.#chars + size > MAX_QUEUED_CHARS) {
      this.#dropped++;
      this.#noteDropped([record], this.#lost?.message ?? "more is recorded than can be written");
      return;
    }
    this.#queue.push(record);
    this.#chars += size;
    this.#running ??= this.#run(BATCH_WINDOW_MS);
  }

  /**
   * Resolves when everything queued so far is written; at once while writing fails, unless that ends by itself. Rejects when this
   * process will never write again.
   */
  flush(): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    if (this.#queue.length === 0 || this.#isFailing()) return Promise.resolve();
    // A caller waits: what has arrived is written now, and what arrives meanwhile with the next batch.
    this.#wake?.();
    const flush = { ...Promise.withResolvers<void>(), upTo: this.#finished + this.#queue.length };
    this.#flushes.push(flush);
    return flush.promise;
  }

  /** Why a record of the run was left out; undefined: none was. */
  reasonDropped(id: string): string | undefined {
    return this.#dropReasons.get(id);
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
    /** Records of the next batch at most: fewer while a record is looked for that cannot be written. */
    let limit = MAX_BATCH_RECORDS;
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch(limit);
      try {
        await this.#write(batch);
        this.#written += batch.length;
        this.#dequeue(batch.length);
        if (this.#error !== undefined) this.#log("history: writing works again", { level: "info" });
        this.#error = undefined;
        attempts = 0;
        limit = Math.min(2 * limit, MAX_BATCH_RECORDS);
      } catch (error) {
        const kind = this.#kindOfError(error);
        if (kind === "lost") {
          this.#stop(error as Error);
          break;
        }
        this.#temporary = kind === "temporary";
        attempts = this.#temporary ? 0 : attempts + 1;
        const isHopeless = kind === "permanent" || attempts >= MAX_ATTEMPTS;
        if (this.#closing && kind !== "permanent") this.#drop(batch, error as Error);
        else if (isHopeless && batch.length > 1) limit = Math.ceil(batch.length / 2);
        else if (isHopeless) this.#drop(batch, error as Error);
        else {
          this.#recordFailure(error as Error);
          await sleep(RETRY_DELAY_MS, undefined, { ref: false });
        }
      }
    }
    this.#running = undefined;
  }

  /** Other instances have what was recorded here; nothing of the rest may be written. */
  #stop(error: Error): void {
    this.#lost = error;
    this.#error = error.message;
    this.#drop(this.#queue, error);
    for (const { reject } of this.#flushes.splice(0)) reject(error);
  }

  /** A record that is left out takes nothing else with it; who it belongs to is in the log. */
  #drop(records: readonly StoreRecord[], { message }: Error): void {
    const { length } = records;
    this.#noteDropped(records, message);
    const runs = [...new Set(records.flatMap((record) => ("id" in record ? [record.id] : [])))];
    const names = runs.slice(0, MAX_NAMED).join(", ") + (runs.length > MAX_NAMED ? ", …" : "");
    if (length > 0)
      this.#log(
        `history: ${length === 1 ? "a record is" : `${length} records are`} left out (run ${names}): ${message}`,
        { level: "error", ...(runs.length === 1 ? { run: runs[0]! } : {}) },
      );
    this.#failures++;
    this.#dropped += length;
    // A caller that waits for a record that is left out must not wait forever; those of `stop` are told why.
    if (this.#lost) {
      this.#queue = [];
      this.#chars = 0;
    } else this.#dequeue(length);
  }

  #noteDropped(records: readonly StoreRecord[], reason: string): void {
    for (const record of records) if ("id" in record) this.#dropReasons.set(record.id, reason);
    while (this.#dropReasons.size > MAX_DROP_REASONS)
      this.#dropReasons.delete(this.#dropReasons.keys().next().value!);
  }

  async #gather(waitMs: number): Promise<void> {
    const woken = Promise.withResolvers<void>();
    const timer = setTimeout(woken.resolve, waitMs);
    this.#wake = woken.resolve;
    await woken.promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  #nextBatch(limit: number): readonly StoreRecord[] {
    let chars = 0;
    const end = this.#queue.findIndex((record, index) => {
      chars += sizeOf(record);
      return index > 0 && (index >= limit || chars > MAX_BATCH_CHARS);
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
      this.#log(`history: cannot write (${error.message}); responses are not affected`, { level: "error" });
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
    case "call":
      return [record.data];
    case "ended":
      return [record.response];
    case "webhook":
      return [record.url];
    case "measurement":
      return [record.data];
    case "webhook_done":
    case "expense":
      return [];
  }
}
