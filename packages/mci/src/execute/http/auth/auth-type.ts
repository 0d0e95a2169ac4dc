import type { Auth } from "../../../schema/auth.ts";
import type { Compile, JsonPath, Scope } from "../../../template-api.ts";
import type { HttpAgent } from "../agent.ts";
import type { HttpRequest } from "../request.ts";

/** One call's credentials, their templates rendered. */
export interface Credentials {
  /** The finished request with its credentials added. Called again for each attempt. */
  sign(request: HttpRequest, context: SigningContext): HttpRequest | Promise<HttpRequest>;
  /** The server refused them (401): drops what is cached. Only where signing again may give other credentials. */
  invalidate?(agent: HttpAgent): void;
  /** The server wants more than they allow (403), and says which scope in its challenge. Throws what to do about it. */
  widen?(agent: HttpAgent, challenge: string): Promise<void>;
}

export interface SigningContext {
  /** undefined in a preview: nothing may be sent, and what would have to be fetched is shown as `***`. */
  readonly agent: HttpAgent | undefined;
  readonly signal: AbortSignal;
  /** To be called with every secret that is not an env value, such as a fetched token. */
  readonly onSecret: (value: string) => void;
  readonly mask: (text: string) => string;
}

/** The address of the request as it is written. */
export interface RequestUrl {
  readonly source: string;
  readonly place: JsonPath;
}

/** An auth type. A new one is a file that exports this, and its fields in `schema/auth.ts`. */
export type AuthType<Settings extends Auth = Auth> = (
  auth: Settings,
  compile: Compile,
  place: JsonPath,
  url: RequestUrl,
) => (scope: Scope) => Credentials | undefined;
