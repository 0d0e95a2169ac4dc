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
}

export interface SigningContext {
  /** undefined in a preview: nothing may be sent, and what would have to be fetched is shown as `***`. */
  readonly agent: HttpAgent | undefined;
  readonly signal: AbortSignal;
  /** To be called with every secret that is not an env value, such as a fetched token. */
  readonly onSecret: (value: string) => void;
  readonly mask: (text: string) => string;
}

/** An auth type. A new one is a file that exports this, and a line in the record of `auth.ts`. */
export type AuthType<Settings extends Auth = Auth> = (
  auth: Settings,
  compile: Compile,
  place: JsonPath,
) => (scope: Scope) => Credentials | undefined;
