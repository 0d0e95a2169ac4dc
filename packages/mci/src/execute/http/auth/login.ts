import { ToolError } from "../../../errors.ts";
import type { ApiLogin } from "../../../login/api/api-login.ts";
import type { LoginAuth } from "../../../schema/auth.ts";
import { credentialScope } from "../../../secrets.ts";
import {
  type Compile,
  type JsonPath,
  OMITTED,
  type Scope,
  type TemplateString,
} from "../../../template-api.ts";
import { compileUrl } from "../url/url.ts";
import type { AuthType, RequestUrl } from "./auth-type.ts";
import { withToken } from "./fetched-token.ts";
import { required } from "./required.ts";

/** The token of a person who logged in before. Without one the call fails, and says how to log in. */
export const login = ((auth, compile, place, url) => {
  const loginFor = compileLogin(auth, compile, place, url);
  return (scope) => {
    const target = loginFor(scope);
    let token = "";
    let refused: string | undefined;
    return {
      async sign(request, { agent, signal, onSecret }) {
        if (target.clientSecret) onSecret(target.clientSecret);
        requireOrigin(target, request.target.origin);
        if (agent === undefined) return withToken(request);
        const logins = await agent.logins();
        token = await logins.token(target, { refused, signal, onSecret });
        return withToken(request, token);
      },
      invalidate: () => {
        refused = token;
      },
      widen: async (agent, challenge) => (await agent.logins()).widen(target, challenge),
    };
  };
}) satisfies AuthType<LoginAuth>;

/** The settings of a login without the caller's properties: no caller chooses who gets a person's token. */
export function compileLogin(
  auth: LoginAuth,
  compile: Compile,
  place: JsonPath,
  url: RequestUrl,
): (scope: Scope) => ApiLogin {
  const field = (name: keyof LoginAuth & string): TemplateString | undefined => {
    const source = auth[name];
    return typeof source === "string" ? compile.text(source, [...place, name]) : undefined;
  };
  const [name, issuer, clientId, clientSecret] = (
    ["name", "issuer", "clientId", "clientSecret"] as const
  ).map(field);
  const [authorizationUrl, tokenUrl, deviceUrl] = (
    ["authorizationUrl", "tokenUrl", "deviceAuthorizationUrl"] as const
  ).map(field);
  const [redirectUri, resource] = (["redirectUri", "resource"] as const).map(field);
  const scopes = (auth.scopes ?? []).map((text, index) => compile.text(text, [...place, "scopes", index]));
  const parameters = Object.entries(auth.parameters ?? {}).map(
    ([key, text]) => [key, compile.text(text, [...place, "parameters", key])] as const,
  );
  const origin = compileUrl(compile.text(originPart(url.source), url.place));
  return (outer) => {
    const scope: Scope = { ...outer, props: {}, absent: new Set(), caller: undefined };
    const render = (text: TemplateString | undefined, within = scope) => {
      const rendered = text?.render(within);
      return rendered === OMITTED || rendered === "" ? undefined : rendered;
    };
    const indicator = render(resource);
    const addresses = { issuer: render(issuer), tokenUrl: render(tokenUrl) };
    const server = parseUrl(addresses.issuer ?? addresses.tokenUrl ?? "", "auth.issuer or auth.tokenUrl");
    return {
      name: render(name) ?? server.hostname,
      flow: auth.flow,
      issuer: addresses.issuer ?? server.origin,
      hasMetadata: addresses.issuer !== undefined,
      clientId: required(clientId!, scope, "auth.clientId"),
      clientSecret: render(clientSecret, credentialScope(scope)),
      resource: indicator === undefined ? originOf(origin, scope) : parseUrl(indicator, "auth.resource").href,
      indicator,
      tokenUrl: addresses.tokenUrl,
      authorizationUrl: render(authorizationUrl),
      deviceAuthorizationUrl: render(deviceUrl),
      redirectUri: render(redirectUri),
      scopes: scopes.flatMap((text) => render(text) ?? []),
      parameters: Object.fromEntries(
        parameters.flatMap(([key, text]) => {
          const value = render(text);
          return value === undefined ? [] : [[key, value]];
        }),
      ),
    };
  };
}

function requireOrigin({ name, resource }: ApiLogin, origin: string): void {
  if (new URL(resource).origin === origin) return;
  const message = `The login '${name}' is for ${new URL(resource).origin}, and is not sent to ${origin}.`;
  throw new ToolError("auth_failed", message, { hint: "give the tools of each host a login of their own" });
}

function originOf(target: ReturnType<typeof compileUrl>, scope: Scope): string {
  try {
    return target(scope).origin;
  } catch (cause) {
    const message =
      "The host of a tool with a login must be known without a call. Write it in the file, or set auth.resource.";
    throw new ToolError("invalid_config", message, { cause });
  }
}

function parseUrl(text: string, setting: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new ToolError("invalid_config", `${setting} must be an absolute http:// or https:// address.`);
}

/** Everything before the path, placeholders left whole. */
function originPart(source: string): string {
  let at = 0;
  while (at < source.length) {
    const closing = PLACEHOLDERS.find(([opening]) => source.startsWith(opening, at))?.[1];
    const end = closing === undefined ? -1 : source.indexOf(closing, at);
    if (end !== -1) at = end + closing!.length;
    else if (closing !== undefined)
      return source; // It is not closed: the template's own error says so.
    else if (source.startsWith("://", at)) at += 3;
    else if (/[/?#]/.test(source[at]!)) break;
    else at++;
  }
  return source.slice(0, at);
}

const PLACEHOLDERS = [
  ["{{", "}}"],
  ["{!!", "!!}"],
] as const;
