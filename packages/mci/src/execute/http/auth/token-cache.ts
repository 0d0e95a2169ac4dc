import { createHash } from "node:crypto";
import { raceAbort } from "../../../abort.ts";
import type { Target } from "../url/url.ts";

/** What it takes to get a token, and all that tells one token from another. */
export interface TokenRequest {
  readonly target: Target;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; empty if none are asked for. */
  readonly scope: string;
  /** The token of the caller that is exchanged, and further parameters. Default: the client's own token. */
  readonly exchange?: {
    readonly subjectToken: string;
    readonly parameters: Readonly<Record<string, string>>;
  };
}

export interface Token {
  readonly value: string;
  /** undefined if the server did not say. */
  readonly expiresInSeconds: number | undefined;
}

interface CacheEntry {
  token?: { readonly value: string; readonly until: number };
  pending?: PendingRequest;
}

/** A token request in flight, and how many calls wait for it. */
interface PendingRequest {
  readonly promise: Promise<Token>;
  readonly controller: AbortController;
  waiters: number;
}

/** A token without an expiry is cached this long; one that is refused earlier is renewed anyway. */
const DEFAULT_TTL_MS = 5 * 60_000;
/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const REFRESH_MARGIN_MS = 30_000;
const MAX_ENTRIES = 1000;

/** OAuth tokens by everything that identifies them. */
export class TokenCache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A valid token. Callers that ask at the same time share one `fetch`, which ends early only when the last of them gives up. */
  async get(
    request: TokenRequest,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<Token>,
  ): Promise<string> {
    const entry = this.#entry(keyOf(request));
    if (entry.token && entry.token.until > this.#now()) return entry.token.value;
    entry.pending ??= this.#start(entry, fetch);
    return (await waitFor(entry.pending, signal)).value;
  }

  /** The API refused this token: the next `get` asks for a new one, unless another call already did. */
  invalidate(request: TokenRequest, token: string): void {
    const entry = this.#entries.get(keyOf(request));
    if (entry?.token?.value === token) entry.token = undefined;
  }

  close(): void {
    for (const { pending } of this.#entries.values()) pending?.controller.abort(new Error("closed"));
    this.#entries.clear();
  }

  #entry(key: string): CacheEntry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      if (this.#entries.size >= MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
      entry = {};
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #start(entry: CacheEntry, fetch: (signal: AbortSignal) => Promise<Token>): PendingRequest {
    const requestedAt = this.#now();
    const controller = new AbortController();
    const pending: PendingRequest = { controller, waiters: 0, promise: fetch(controller.signal) };
    pending.promise
      .then(
        ({ value, expiresInSeconds }) => {
          entry.token = { value, until: requestedAt + cacheMs(expiresInSeconds) };
        },
        () => {},
      )
      .finally(() => {
        if (entry.pending === pending) entry.pending = undefined;
      });
    controller.signal.addEventListener("abort", () => {
      // The next caller starts a new request.
      if (entry.pending === pending) entry.pending = undefined;
    });
    return pending;
  }
}

function keyOf({ target, clientId, clientSecret, scope, exchange }: TokenRequest): string {
  const secret = createHash("sha256").update(clientSecret).digest("base64");
  const { subjectToken = "", parameters = {} } = exchange ?? {};
  const exchangeKey = exchange && [createHash("sha256").update(subjectToken).digest("base64"), parameters];
  return JSON.stringify([
    target.origin,
    target.path,
    target.callerHost,
    clientId,
    secret,
    scope,
    exchangeKey,
  ]);
}

function cacheMs(expiresInSeconds: number | undefined): number {
  if (expiresInSeconds === undefined) return DEFAULT_TTL_MS;
  const lifetime = expiresInSeconds * 1000;
  return Math.max(lifetime * 0.9, lifetime - REFRESH_MARGIN_MS);
}

async function waitFor(pending: PendingRequest, signal: AbortSignal): Promise<Token> {
  pending.waiters++;
  try {
    return await raceAbort(pending.promise, signal);
  } finally {
    if (--pending.waiters === 0) pending.controller.abort(new Error("no caller is waiting"));
  }
}
