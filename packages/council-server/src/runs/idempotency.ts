import { createHash, randomUUID } from "node:crypto";
import { ServiceError } from "../service-error.ts";
import type { SharedRuns } from "../store/backend.ts";
import { readHistory } from "../store/read-history.ts";
import type { StartRecord, StoredResponse } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { RunResponse } from "./live/live-run.ts";
import type { Submission } from "./submission.ts";

const MAX_RESPONSES = 1000;
const MAX_CHARS = 16 * 1024 * 1024;

interface CachedRun {
  readonly fingerprint: string;
  readonly submission: Promise<Submission>;
}

/**
 * Requests with the same key share one run: they join it while it is in flight and replay its response afterwards. Recent
 * responses are cached here, older ones are read from the history. Failures are not cached, so that they can be retried. Where
 * instances share a database, a key belongs to one run of all of them.
 */
export class IdempotencyCache {
  readonly #store: KeyStore;
  readonly #follow: (runId: string) => Submission;
  /** Never evicted: losing an entry would let its key start a second run. */
  readonly #inFlight = new Map<string, CachedRun>();
  readonly #completed = new Map<string, CachedRun & { readonly chars: number }>();
  #chars = 0;

  /** `follow` joins a run of another instance. */
  constructor(store: KeyStore, follow: (runId: string) => Submission = noOtherInstances) {
    this.#store = store;
    this.#follow = follow;
  }

  /** `record` makes the first record of the run, for a history that instances share. */
  async runOnce(
    key: string,
    fingerprint: string,
    start: Start,
    record: Record = noOtherInstances,
  ): Promise<Submission> {
    for (let existing = this.#find(key); existing; existing = this.#find(key)) {
      throwIfDifferent(existing.fingerprint, fingerprint);
      const submission = await existing.submission;
      if (submission.live?.cancelled === undefined) return submission;
      // A cancelled run has no response to share.
      this.#remove(key, existing);
    }
    // Stored before anything is awaited, so that a concurrent request finds it.
    const existing: CachedRun = {
      fingerprint,
      submission: this.#replayOrStart({ start, record }, key, fingerprint),
    };
    this.#inFlight.set(key, existing);
    existing.submission
      .then(async ({ id, response }) => {
        const ended = await response;
        if (!isFailure(ended) && this.#inFlight.get(key) === existing)
          this.#cache(key, fingerprint, id, ended);
        this.#remove(key, existing);
      })
      .catch(() => this.#remove(key, existing));
    return existing.submission;
  }

  #find(key: string): CachedRun | undefined {
    return this.#inFlight.get(key) ?? this.#completed.get(key);
  }

  async #replayOrStart(keyed: KeyedStart, key: string, fingerprint: string): Promise<Submission> {
    const { shared } = this.#store;
    if (shared) return this.#claimOrJoin(shared, keyed, key, fingerprint);
    // An unreadable history must not block the request.
    const before = await this.#store.findByKey(key).catch(() => undefined);
    return before ? replayResponse(before, fingerprint) : keyed.start(randomUUID());
  }

  async #claimOrJoin(
    shared: SharedRuns,
    { start, record }: KeyedStart,
    key: string,
    fingerprint: string,
  ): Promise<Submission> {
    const id = randomUUID();
    // Without the database another instance may have the key: a request with a key is not run on the chance. Claimed is the key
    // together with the record of its run: a client that joins the run finds it, also if this process ends now.
    const claim = await readHistory(shared.claimRun({ ...record(id), idempotencyKey: key, fingerprint }));
    if (claim.kind === "finished") return replayResponse(claim, fingerprint);
    if (claim.kind === "running") {
      throwIfDifferent(claim.fingerprint, fingerprint);
      return this.#follow(claim.runId);
    }
    // If this fails, the next request with the key finds out that the run has no response.
    const release = () => void shared.releaseKey(key, id).catch(() => undefined);
    try {
      const submission = start(id);
      void submission.response.then(({ body }) => {
        // A success that may still be recorded is replayed then; if not, its instance is dead, and the key is free.
        if ("error" in body && body.error.code !== "not_recorded") release();
      });
      return submission;
    } catch (error) {
      // The key and the record of a run that never began.
      await shared.releaseKey(key, id, { neverBegan: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Caches the response without its run, and evicts the oldest beyond the limits. */
  #cache(key: string, fingerprint: string, id: string, ended: RunResponse): void {
    const chars = JSON.stringify(ended.body).length;
    const submission = Promise.resolve({ id, response: Promise.resolve(ended) });
    this.#completed.set(key, { fingerprint, submission, chars });
    this.#chars += chars;
    for (const [oldest, { chars }] of this.#completed) {
      if (this.#completed.size <= MAX_RESPONSES && this.#chars <= MAX_CHARS) break;
      this.#completed.delete(oldest);
      this.#chars -= chars;
    }
  }

  #remove(key: string, existing: CachedRun): void {
    if (this.#inFlight.get(key) === existing) this.#inFlight.delete(key);
  }
}

type KeyStore = Pick<Store, "findByKey" | "shared">;

type Start = (id: string) => Submission;
type Record = (id: string) => StartRecord;

interface KeyedStart {
  readonly start: Start;
  readonly record: Record;
}

function noOtherInstances(): never {
  throw new Error("runs of other instances are only known where instances share a database");
}

function replayResponse({ id, response, ...before }: StoredResponse, fingerprint: string): Submission {
  throwIfDifferent(before.fingerprint, fingerprint);
  return { id, response: Promise.resolve({ body: JSON.parse(response) }) };
}

const isFailure = ({ body }: RunResponse) => "error" in body;

/** A hash of the request that does not depend on the order of its fields. */
export function fingerprint(request: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(request)))
    .digest("base64url");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

function throwIfDifferent(before: string, now: string): void {
  if (before === now) return;
  throw new ServiceError(
    "idempotency_mismatch",
    "This Idempotency-Key was used with another request; use a new key",
  );
}
