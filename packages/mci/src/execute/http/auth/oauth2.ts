import { isLoginAuth } from "../../../login/api/api-login.ts";
import type { LoginAuth, OAuth2Auth } from "../../../schema/auth.ts";
import { OMITTED } from "../../../template-api.ts";
import { compileUrl } from "../url/url.ts";
import type { AuthType } from "./auth-type.ts";
import { fetchedToken, withToken } from "./fetched-token.ts";
import { login } from "./login.ts";
import { required } from "./required.ts";
import type { TokenRequest } from "./token-cache.ts";

export const oauth2: AuthType<OAuth2Auth> = (auth, compile, place, url) =>
  isLoginAuth(auth) ? login(auth, compile, place, url) : clientCredentials(auth, compile, place, url);

/** A token from a token endpoint, cached until shortly before it expires. */
const clientCredentials: AuthType<Exclude<OAuth2Auth, LoginAuth>> = (auth, compile, place) => {
  const field = (source: string, name: string) => compile.text(source, [...place, name]);
  const target = compileUrl(field(auth.tokenUrl, "tokenUrl"));
  const clientId = field(auth.clientId, "clientId");
  const clientSecret = field(auth.clientSecret, "clientSecret");
  const scopes = (auth.scopes ?? []).map((source, index) =>
    compile.text(source, [...place, "scopes", index]),
  );
  return (scope) => {
    const tokenRequest: TokenRequest = {
      target: target(scope),
      clientId: required(clientId, scope, "auth.clientId"),
      clientSecret: required(clientSecret, scope, "auth.clientSecret"),
      scope: scopes
        .map((text) => text.render(scope))
        .filter((text) => text !== OMITTED && text !== "")
        .join(" "),
    };
    let token = "";
    return {
      async sign(request, context) {
        context.onSecret(tokenRequest.clientSecret);
        if (context.agent === undefined) return withToken(request);
        token = await fetchedToken(tokenRequest, request, context.agent, context);
        return withToken(request, token);
      },
      invalidate: (agent) => agent.tokens.invalidate(tokenRequest, token),
    };
  };
};
