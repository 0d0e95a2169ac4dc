import { createHash } from "node:crypto";
import { HttpError } from "../http/errors.ts";
import type { Submission } from "../service.ts";
import type { Store } from "../store/store.ts";

const MAX_KEYS = 1000;

interface Known {
  readonly fingerprint: string;
  readonly submission: Promise<Submission>;
}

/**
 * The same key means the same run: joined while it is under way, replayed once it is answered. Recent keys are held here, older ones
 * found in the history; a failure is forgotten, since a retry deserves another chance.
 */
export class IdempotencyKeys {
  readonly #store: Pick<Store, "findByKey">;
  readonly #known = new Map<string, Known>();

  constructor(store: Pick<Store, "findByKey">) {
    this.#store = store;
  }

  async once(key: string, fingerprint: string, start: () => Submission): Promise<Submission> {
    for (let known = this.#known.get(key); known; known = this.#known.get(key)) {
      mustMatch(known.fingerprint, fingerprint);
      const submission = await known.submission;
      if (submission.live?.cancelled === undefined) return submission;
      // A run whose clients all left is as good as none.
      this.#forget(key, known);
    }
    // Noted before anything is awaited: a second request a moment later must find it.
    const known: Known = { fingerprint, submission: this.#find(key, fingerprint, start) };
    this.#note(key, known);
    known.submission
      .then(async ({ id, outcome }) => {
        const { status } = await outcome;
        // An answer is kept without the run around it.
        if (status < 400 && this.#known.get(key) === known) {
          this.#known.set(key, { fingerprint, submission: Promise.resolve({ id, outcome }) });
        } else this.#forget(key, known);
      })
      .catch(() => this.#forget(key, known));
    return known.submission;
  }

  async #find(key: string, fingerprint: string, start: () => Submission): Promise<Submission> {
    // A history that cannot be read must not stand in the way of an answer.
    const before = await this.#store.findByKey(key).catch(() => undefined);
    if (!before) return start();
    mustMatch(before.fingerprint, fingerprint);
    const outcome = { status: before.httpStatus, body: JSON.parse(before.response) };
    return { id: before.id, outcome: Promise.resolve(outcome) };
  }

  #note(key: string, known: Known): void {
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEYS && oldest !== undefined) this.#known.delete(oldest);
  }

  #forget(key: string, known: Known): void {
    if (this.#known.get(key) === known) this.#known.delete(key);
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
