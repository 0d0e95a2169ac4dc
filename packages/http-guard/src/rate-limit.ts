import { isLoopback, networkOf } from "./address.ts";
import { GuardError } from "./error.ts";

export interface RateLimiterOptions {
  /** Tokens that come back each second; 0: no limit. */
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
  /** Whether clients on this machine are limited too. Default true. */
  readonly limitsLoopback?: boolean;
  /** The limit in words, for the error: "60 a minute". */
  readonly description: string;
}

/** Clients that are tracked; beyond that the one unseen for longest is dropped. */
const MAX_CLIENTS = 10_000;

/** A token bucket per client: a request takes one token, and tokens come back with time. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(options: RateLimiterOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Throws when the client has used up its share. */
  consume(address: string): void {
    const { perSecond, limitsLoopback = true, description } = this.#options;
    if (perSecond === 0 || (!limitsLoopback && isLoopback(address))) return;
    const burst = Math.max(1, this.#options.burst);
    const client = networkOf(address);
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(client) ?? { tokens: burst, at: now };
    const available = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    // Back to the end of the map: its first entries are those unseen for longest.
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: available >= 1 ? available - 1 : available, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_CLIENTS && oldest !== undefined) this.#buckets.delete(oldest);
    if (available >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - available) / perSecond));
    throw new GuardError(
      "rate_limited",
      `Too many requests: at most ${description}. Try again in ${seconds} s`,
      { headers: { "retry-after": String(seconds) } },
    );
  }
}
