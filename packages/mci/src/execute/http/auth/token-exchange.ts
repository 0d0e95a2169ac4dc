import { ToolError } from "../../../errors.ts";
import type { Auth } from "../../../schema/auth.ts";
import { credentialScope } from "../../../secrets.ts";
import { OMITTED, type Scope, type TemplateString } from "../../../template-api.ts";
import { compileUrl } from "../url/url.ts";
import type { AuthType } from "./auth-type.ts";
import { fetchedToken, withToken } from "./fetched-token.ts";
import { required } from "./required.ts";
import type { TokenRequest } from "./token-cache.ts";

/** RFC 8693: the caller's token becomes one of the API. Each caller has their own; none is stored. */
export const tokenExchange: AuthType<Extract<Auth, { type: "tokenExchange" }>> = (auth, compile, place) => {
  const optionalField = (source: string | undefined, name: string) =>
    source === undefined ? undefined : compile.text(source, [...place, name]);
  const target = compileUrl(compile.text(auth.tokenUrl, [...place, "tokenUrl"]));
  const clientId = compile.text(auth.clientId, [...place, "clientId"]);
  const clientSecret = optionalField(auth.clientSecret, "clientSecret");
  const audience = optionalField(auth.audience, "audience");
  const resource = optionalField(auth.resource, "resource");
  const scopes = (auth.scopes ?? []).map((text, index) => compile.text(text, [...place, "scopes", index]));
  return (outer) => {
    // No caller chooses who gets their token, or which API it is for.
    const scope: Scope = { ...outer, props: {}, absent: new Set(), caller: undefined };
    const render = (text: TemplateString | undefined, within = scope) => {
      const rendered = text?.render(within);
      return rendered === OMITTED || rendered === undefined ? "" : rendered;
    };
    const parameters = { audience: render(audience), resource: render(resource) };
    const tokenRequest = (subjectToken: string): TokenRequest => ({
      target: target(scope),
      clientId: required(clientId, scope, "auth.clientId"),
      clientSecret: render(clientSecret, credentialScope(scope)),
      scope: scopes
        .map((text) => render(text))
        .filter(Boolean)
        .join(" "),
      exchange: {
        subjectToken,
        parameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== "")),
      },
    });
    let used: { request: TokenRequest; token: string } | undefined;
    return {
      async sign(request, context) {
        if (context.agent === undefined) return withToken(request);
        if (outer.callerToken === undefined) throw noCaller();
        const exchange = tokenRequest(outer.callerToken);
        if (exchange.clientSecret !== "") context.onSecret(exchange.clientSecret);
        const token = await fetchedToken(exchange, request, context.agent, context);
        used = { request: exchange, token };
        return withToken(request, token);
      },
      invalidate: (agent) => {
        if (used !== undefined) agent.tokens.invalidate(used.request, used.token);
      },
    };
  };
};

function noCaller(): ToolError {
  return new ToolError(
    "auth_failed",
    "The tool exchanges the caller's token, and this call has none. Serve the file with 'mci run --http PORT --oauth-issuer URL', or pass 'caller' to the call.",
  );
}
