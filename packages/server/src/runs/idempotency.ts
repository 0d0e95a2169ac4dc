import { createHash } from "node:crypto";
import { HttpError } from "../http/errors.ts";
import type { Submission } from "../service.ts";
import type { Store } from "../store/store.ts";
import type { Outcome } from "./live-run.ts";

const MAX_ANSWERS = 1000;
const MAX_CHARS = 16 * 1024 * 1024;

interface Known {
  readonly fingerprint: string;
  readonly submission: Promise<Submission>;
}

/**
 * The same key means the same run: joined while it is under way, replayed once it is answered. Recent answers are held here, older
 * ones found in the history; a failure is forgotten, since a retry deserves another chance.
 */
export class IdempotencyKeys {
  readonly #store: Pick<Store, "findByKey">;
  /** As many as there are runs: none may be forgotten, or its key would start a second one. */
  readonly #underWay = new Map<string, Known>();
  readonly #answered = new Map<string, Known & { readonly chars: number }>();
  #chars = 0;

  constructor(store: Pick<Store, "findByKey">) {
    this.#store = store;
  }

  async once(key: string, fingerprint: string, start: () => Submission): Promise<Submission> {
    for (let known = this.#find(key); known; known = this.#find(key)) {
      mustMatch(known.fingerprint, fingerprint);
      const submission = await known.submission;
      if (submission.live?.cancelled === undefined) return submission;
      // A run whose clients all left is as good as none.
      this.#forget(key, known);
    }
    // Noted before anything is awaited: a second request a moment later must find it.
    const known: Known = { fingerprint, submission: this.#replayOr(start, key, fingerprint) };
    this.#underWay.set(key, known);
    known.submission
      .then(async ({ id, outcome }) => {
        const ended = await outcome;
        if (ended.status < 400 && this.#underWay.get(key) === known) this.#keep(key, fingerprint, id, ended);
        this.#forget(key, known);
      })
      .catch(() => this.#forget(key, known));
    return known.submission;
  }

  #find(key: string): Known | undefined {
    return this.#underWay.get(key) ?? this.#answered.get(key);
  }

  async #replayOr(start: () => Submission, key: string, fingerprint: string): Promise<Submission> {
    // A history that cannot be read must not stand in the way of an answer.
    const before = await this.#store.findByKey(key).catch(() => undefined);
    if (!before) return start();
    mustMatch(before.fingerprint, fingerprint);
    const outcome = { status: before.httpStatus, body: JSON.parse(before.response) };
    return { id: before.id, outcome: Promise.resolve(outcome) };
  }

  /** The answer without the run around it; the oldest make room. */
  #keep(key: string, fingerprint: string, id: string, ended: Outcome): void {
    const chars = JSON.stringify(ended.body).length;
    const submission = Promise.resolve({ id, outcome: Promise.resolve(ended) });
    this.#answered.set(key, { fingerprint, submission, chars });
    this.#chars += chars;
    for (const [oldest, { chars }] of this.#answered) {
      if (this.#answered.size <= MAX_ANSWERS && this.#chars <= MAX_CHARS) break;
      this.#answered.delete(oldest);
      this.#chars -= chars;
    }
  }

  #forget(key: string, known: Known): void {
    if (this.#underWay.get(key) === known) this.#underWay.delete(key);
  }
}

/** The same for the same request, however its fields are ordered. */
export function fingerprint(request: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(request)))
    .digest("base64url");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function mustMatch(before: string, now: string): void {
  if (before === now) return;
  throw new HttpError(
    "idempotency_mismatch",
    "This Idempotency-Key was used with another request; use a new key",
  );
}
