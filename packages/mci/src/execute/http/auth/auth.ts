import type { Auth } from "../../../schema/auth.ts";
import { credentialScope } from "../../../secrets.ts";
import type { Compile, JsonPath } from "../../../template-api.ts";
import { apiKey } from "./api-key.ts";
import type { AuthType, RequestUrl } from "./auth-type.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import { oauth2 } from "./oauth2.ts";
import { tokenExchange } from "./token-exchange.ts";

const AUTH_TYPES: { readonly [Type in Auth["type"]]: AuthType<Extract<Auth, { type: Type }>> } = {
  apiKey,
  bearer,
  basic,
  oauth2,
  tokenExchange,
};

/** No credentials when the property they consist of was not given. */
export function compileAuth(
  auth: Auth,
  compile: Compile,
  place: JsonPath,
  url: RequestUrl,
): ReturnType<AuthType> {
  const credentials = (AUTH_TYPES[auth.type] as AuthType)(auth, compile, place, url);
  // Of OAuth's settings one is an address; the client's secret is reported when it is used.
  const isOAuth = auth.type === "oauth2" || auth.type === "tokenExchange";
  return isOAuth ? credentials : (scope) => credentials(credentialScope(scope));
}
