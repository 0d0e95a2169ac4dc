import { createHash } from "node:crypto";
import { unlessAborted } from "../deadline.ts";
import type { TokenRequest } from "./auth.ts";

export interface Token {
  readonly value: string;
  /** undefined if the server did not say. */
  readonly expiresInSeconds: number | undefined;
}

interface Entry {
  token?: { readonly value: string; readonly until: number };
  flight?: Flight;
}

/** A request for a token under way, and how many calls wait for it. */
interface Flight {
  readonly promise: Promise<Token>;
  readonly controller: AbortController;
  waiters: number;
}

/** A token without an expiry is kept this long; one that is refused earlier is renewed anyway. */
const UNKNOWN_LIFETIME_MS = 5 * 60_000;
/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const MARGIN_MS = 30_000;
const MAX_ENTRIES = 1000;

/** OAuth tokens by everything that identifies them. */
export class TokenCache {
  readonly #entries = new Map<string, Entry>();
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
    entry.flight ??= this.#start(entry, fetch);
    return (await join(entry.flight, signal)).value;
  }

  /** The API refused this token: the next `get` asks for a new one, unless somebody already did. */
  forget(request: TokenRequest, token: string): void {
    const entry = this.#entries.get(keyOf(request));
    if (entry?.token?.value === token) entry.token = undefined;
  }

  close(): void {
    for (const { flight } of this.#entries.values()) flight?.controller.abort(new Error("closed"));
    this.#entries.clear();
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      if (this.#entries.size >= MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
      entry = {};
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #start(entry: Entry, fetch: (signal: AbortSignal) => Promise<Token>): Flight {
    const asked = this.#now();
    const controller = new AbortController();
    const flight: Flight = { controller, waiters: 0, promise: fetch(controller.signal) };
    flight.promise
      .then(
        ({ value, expiresInSeconds }) => {
          entry.token = { value, until: asked + usableMs(expiresInSeconds) };
        },
        () => {},
      )
      .finally(() => {
        if (entry.flight === flight) entry.flight = undefined;
      });
    controller.signal.addEventListener("abort", () => {
      // Whoever comes next starts anew.
      if (entry.flight === flight) entry.flight = undefined;
    });
    return flight;
  }
}

function keyOf({ target, clientId, clientSecret, scope }: TokenRequest): string {
  const secret = createHash("sha256").update(clientSecret).digest("base64");
  return JSON.stringify([target.origin, target.path, target.callerHost, clientId, secret, scope]);
}

function usableMs(expiresInSeconds: number | undefined): number {
  if (expiresInSeconds === undefined) return UNKNOWN_LIFETIME_MS;
  const lifetime = expiresInSeconds * 1000;
  return Math.max(lifetime * 0.9, lifetime - MARGIN_MS);
}

async function join(flight: Flight, signal: AbortSignal): Promise<Token> {
  flight.waiters++;
  try {
    return await unlessAborted(flight.promise, signal);
  } finally {
    if (--flight.waiters === 0) flight.controller.abort(new Error("nobody waits"));
  }
}
