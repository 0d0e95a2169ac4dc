import type { ProviderError } from "./dialects/dialect.ts";

export interface LimitOptions {
  /** Calls at the same time. */
  readonly concurrency?: number;
  /** Tokens per minute, as a bucket that fills steadily and holds a tenth of a minute's worth. */
  readonly tokensPerMinute?: number;
}

/** What a provider allows one key. A call that is refused costs nothing. */
export class Limits {
  readonly #options: LimitOptions;
  readonly #size: number;
  #tokens: number;
  #filled = performance.now();
  #running = 0;

  constructor(options: LimitOptions) {
    this.#options = options;
    this.#size = (options.tokensPerMinute ?? 0) / 10;
    this.#tokens = this.#size;
  }

  /** Admits a call of so many tokens, or says why not. `end` belongs to an admitted call only. */
  admit(tokens: number): { refused: ProviderError } | { end: () => void } {
    const { concurrency = Number.POSITIVE_INFINITY, tokensPerMinute } = this.#options;
    if (this.#running >= concurrency)
      return { refused: { status: 429, message: "Too many concurrent requests", type: "rate_limit_error" } };
    if (tokensPerMinute !== undefined) {
      const perMs = tokensPerMinute / 60_000;
      const now = performance.now();
      this.#tokens = Math.min(this.#size, this.#tokens + (now - this.#filled) * perMs);
      this.#filled = now;
      if (this.#tokens < Math.min(tokens, this.#size)) {
        const retryAfter = Math.ceil((Math.min(tokens, this.#size) - this.#tokens) / perMs) / 1000;
        return {
          refused: {
            status: 429,
            message: `Rate limit reached for tokens per minute (TPM): Limit ${tokensPerMinute}. Please try again in ${retryAfter}s.`,
            type: "tokens",
            code: "rate_limit_exceeded",
            retryAfter,
          },
        };
      }
      this.#tokens -= tokens;
    }
    this.#running++;
    let ended = false;
    return {
      end: () => {
        if (!ended) this.#running--;
        ended = true;
      },
    };
  }
}
