import { createHash } from "node:crypto";
import { createToken, GuardError } from "@mci-ts/http-guard";

/** Tabs that may be open at the same time; beyond, the oldest loses access. */
const MAX_SESSIONS = 50;

/**
 * Access to the console. A token in an address works once: it is exchanged for the token of a session, which only the
 * tab knows. An address that stays in a history or on a screen opens nothing.
 */
export class Sessions {
  readonly #sessions = new Set<string>();
  /** Digests of the one-time tokens that were issued for a limited time, and what to do when one is gone. */
  readonly #issued = new Map<string, () => void>();
  #oneTime = createToken();

  /** The token of the next address that is shown to the user. */
  get oneTimeToken(): string {
    return this.#oneTime;
  }

  /** Another token that works once, and only for some time. `onGone` is called when it was used or has expired. */
  issue(lifeMs: number, onGone: () => void): { readonly token: string; revoke(): void } {
    const token = createToken();
    const key = digest(token);
    const revoke = () => {
      clearTimeout(timer);
      if (this.#issued.delete(key)) onGone();
    };
    const timer = setTimeout(revoke, lifeMs).unref();
    this.#issued.set(key, revoke);
    return { token, revoke };
  }

  /** Takes a one-time token; returns the token of a new session. If it was the one of the address, there is a new one then. */
  open(authorization: string | undefined): { readonly session: string; readonly isNewAddress: boolean } {
    const key = digestOf(authorization);
    const isNewAddress = key === digest(this.#oneTime);
    const issued = this.#issued.get(key);
    if (!isNewAddress && issued === undefined) throw refused("The address was used before, or is too old.");
    if (isNewAddress) this.#oneTime = createToken();
    issued?.();
    const session = createToken();
    this.#sessions.add(digest(session));
    const [oldest] = this.#sessions;
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return { session, isNewAddress };
  }

  check(authorization: string | undefined): void {
    if (!this.#sessions.has(digestOf(authorization))) throw refused("This tab has no access.");
  }
}

function refused(reason: string): GuardError {
  const message = `${reason} Open the last address that the terminal shows.`;
  return new GuardError("unauthorized", message, {
    headers: { "www-authenticate": 'Bearer realm="mci ui"' },
  });
}

/** Digests, so that the time a comparison takes says nothing about a token. */
function digestOf(authorization = ""): string {
  return digest(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
