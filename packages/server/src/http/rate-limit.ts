import { HttpError } from "./errors.ts";

const MAX_CLIENTS = 10_000;

/** A bucket of tokens per client: a burst of one minute's worth, refilled evenly. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  /** `perMinute` 0 turns it off. */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Throws when the client has used up its share. */
  take(client: string): void {
    if (this.#perMinute === 0) return;
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(client) ?? { tokens: this.#perMinute, at: now };
    const filled = Math.min(this.#perMinute, tokens + ((now - at) / 60_000) * this.#perMinute);
    // Back to the end of the map: its first entries are those longest unseen.
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: Math.max(0, filled - 1), at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_CLIENTS && oldest !== undefined) this.#buckets.delete(oldest);
    if (filled >= 1) return;
    const seconds = Math.ceil(((1 - filled) / this.#perMinute) * 60);
    throw new HttpError(
      "rate_limited",
      `More than ${this.#perMinute} requests in a minute (MCI_RATE_LIMIT)`,
      {
        headers: { "retry-after": String(Math.max(1, seconds)) },
      },
    );
  }
}
