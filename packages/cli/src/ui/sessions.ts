import { createHash } from "node:crypto";
import { createToken, GuardError } from "@mci-ts/http-guard";

/** Tabs that may be open at the same time; beyond, the oldest loses access. */
const MAX_SESSIONS = 50;

/**
 * Access to the console. The token in its address works once: it is exchanged for the token of a session, which only the
 * tab knows. An address that stays in a history or on a screen opens nothing.
 */
export class Sessions {
  readonly #sessions = new Set<string>();
  #oneTime = createToken();

  /** The token of the next address. */
  get oneTimeToken(): string {
    return this.#oneTime;
  }

  /** Takes the one-time token; returns the token of a new session. The next address gets a new one. */
  open(authorization: string | undefined): string {
    if (digestOf(authorization) !== digest(this.#oneTime)) throw refused("The address was used before.");
    this.#oneTime = createToken();
    const session = createToken();
    this.#sessions.add(digest(session));
    const [oldest] = this.#sessions;
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
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
