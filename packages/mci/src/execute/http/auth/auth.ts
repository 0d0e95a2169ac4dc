import type { Auth } from "../../../schema/auth.ts";
import { credentialScope } from "../../../secrets.ts";
import type { Compile, JsonPath } from "../../../template-api.ts";
import type { AuthType, RequestUrl } from "./auth-type.ts";
import { AUTH_TYPES } from "./auth-types.ts";

const TYPES: { readonly [Type in Auth["type"]]: AuthType<Extract<Auth, { type: Type }>> } = AUTH_TYPES;

/** No credentials when the property they consist of was not given. */
export function compileAuth(
  auth: Auth,
  compile: Compile,
  place: JsonPath,
  url: RequestUrl,
): ReturnType<AuthType> {
  const credentials = (TYPES[auth.type] as AuthType)(auth, compile, place, url);
  // One of OAuth's settings is an address; the client's secret is reported when it is used.
  const isOAuth = auth.type === "oauth2" || auth.type === "tokenExchange";
  return isOAuth ? credentials : (scope) => credentials(credentialScope(scope));
}
