import { createHash } from "node:crypto";

/** What an Idempotency-Key stands for while the service runs: bounded, the oldest forgotten first. */
export class IdempotencyKeys<Entry> {
  readonly #entries = new Map<string, { readonly fingerprint: string; readonly entry: Entry }>();
  readonly #capacity: number;

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  get(key: string): { readonly fingerprint: string; readonly entry: Entry } | undefined {
    return this.#entries.get(key);
  }

  set(key: string, fingerprint: string, entry: Entry): void {
    this.#entries.set(key, { fingerprint, entry });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Another entry for the same request, unless the key stands for something else by now. */
  replace(key: string, entry: Entry, by: Entry): void {
    const known = this.#entries.get(key);
    if (known?.entry === entry) this.#entries.set(key, { ...known, entry: by });
  }

  /** Forgets a key, unless it stands for something else by now. */
  delete(key: string, entry: Entry): void {
    if (this.#entries.get(key)?.entry === entry) this.#entries.delete(key);
  }
}

/** The same for the same request, however its keys are ordered. */
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
