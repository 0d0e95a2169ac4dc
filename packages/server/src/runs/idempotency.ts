import { createHash } from "node:crypto";
import { HttpError } from "../http/errors.ts";
import type { Submission } from "../service.ts";
import type { Store } from "../store/store.ts";
import type { Outcome } from "./live-run.ts";

const MAX_RESPONSES = 1000;
const MAX_CHARS = 16 * 1024 * 1024;

interface CachedRun {
  readonly fingerprint: string;
  readonly submission: Promise<Submission>;
}

/**
 * The same key means the same run: joined while it is under way, replayed once it is answered. Recent answers are held here, older
 * ones found in the history; a failure is forgotten, since a retry deserves another chance.
 */
export class IdempotencyCache {
  readonly #store: Pick<Store, "findByKey">;
  /** As many as there are runs: none may be forgotten, or its key would start a second one. */
  readonly #inFlight = new Map<string, CachedRun>();
  readonly #completed = new Map<string, CachedRun & { readonly chars: number }>();
  #chars = 0;

  constructor(store: Pick<Store, "findByKey">) {
    this.#store = store;
  }

  async runOnce(key: string, fingerprint: string, start: () => Submission): Promise<Submission> {
    for (let known = this.#find(key); known; known = this.#find(key)) {
      throwIfDifferent(known.fingerprint, fingerprint);
      const submission = await known.submission;
      if (submission.live?.cancelled === undefined) return submission;
      // A run whose clients all left is as good as none.
      this.#remove(key, known);
    }
    // Noted before anything is awaited: a second request a moment later must find it.
    const known: CachedRun = { fingerprint, submission: this.#replayOrStart(start, key, fingerprint) };
    this.#inFlight.set(key, known);
    known.submission
      .then(async ({ id, outcome }) => {
        const ended = await outcome;
        if (ended.status < 400 && this.#inFlight.get(key) === known) this.#cache(key, fingerprint, id, ended);
        this.#remove(key, known);
      })
      .catch(() => this.#remove(key, known));
    return known.submission;
  }

  #find(key: string): CachedRun | undefined {
    return this.#inFlight.get(key) ?? this.#completed.get(key);
  }

  async #replayOrStart(start: () => Submission, key: string, fingerprint: string): Promise<Submission> {
    // A history that cannot be read must not stand in the way of an answer.
    const before = await this.#store.findByKey(key).catch(() => undefined);
    if (!before) return start();
    throwIfDifferent(before.fingerprint, fingerprint);
    const outcome = { status: before.httpStatus, body: JSON.parse(before.response) };
    return { id: before.id, outcome: Promise.resolve(outcome) };
  }

  /** The answer without the run around it; the oldest make room. */
  #cache(key: string, fingerprint: string, id: string, ended: Outcome): void {
    const chars = JSON.stringify(ended.body).length;
    const submission = Promise.resolve({ id, outcome: Promise.resolve(ended) });
    this.#completed.set(key, { fingerprint, submission, chars });
    this.#chars += chars;
    for (const [oldest, { chars }] of this.#completed) {
      if (this.#completed.size <= MAX_RESPONSES && this.#chars <= MAX_CHARS) break;
      this.#completed.delete(oldest);
      this.#chars -= chars;
    }
  }

  #remove(key: string, known: CachedRun): void {
    if (this.#inFlight.get(key) === known) this.#inFlight.delete(key);
  }
}

/** The same for the same request, however its fields are ordered. */
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
  throw new HttpError(
    "idempotency_mismatch",
    "This Idempotency-Key was used with another request; use a new key",
  );
}
