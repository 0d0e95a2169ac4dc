import { type JsonObject, objectField, textField } from "../json.ts";

/** Documents before OpenAPI 3 had no other way to say it: an API key in `Authorization` whose name or description says bearer. */
export function isBearerKey(name: string, scheme: JsonObject): boolean {
  const isHeader = scheme.in === "header" && String(scheme.name).toLowerCase() === "authorization";
  return isHeader && /bearer/i.test(`${name} ${scheme.description ?? ""} ${scheme.bearerFormat ?? ""}`);
}

export type SchemeKind =
  | "apiKey"
  | "basic"
  | "bearer"
  | "token"
  | "clientCredentials"
  | "authorizationCode"
  | "deviceCode";

/** Where a person logs in. */
export type LoginEndpoints = {
  readonly issuer?: string;
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
};

/** The flow of a scheme that a person goes through with a browser or another device; undefined if it has none that is complete. */
export function loginFlowOf(
  scheme: JsonObject,
): (LoginEndpoints & { flow: "authorizationCode" | "deviceCode" }) | undefined {
  if (scheme.type === "openIdConnect") {
    const [, issuer] =
      /^(https?:\/\/.+?)\/\.well-known\/openid-configuration$/i.exec(String(scheme.openIdConnectUrl)) ?? [];
    return issuer !== undefined && isAbsolute(issuer) ? { flow: "authorizationCode", issuer } : undefined;
  }
  const flows = objectField(scheme, "flows");
  const { authorizationUrl, tokenUrl } = objectField(flows, "authorizationCode");
  if (isAbsolute(authorizationUrl) && isAbsolute(tokenUrl))
    return { flow: "authorizationCode", authorizationUrl, tokenUrl };
  const device = objectField(flows, "deviceAuthorization");
  const { deviceAuthorizationUrl } = device;
  if (isAbsolute(deviceAuthorizationUrl) && isAbsolute(device.tokenUrl))
    return { flow: "deviceCode", deviceAuthorizationUrl, tokenUrl: device.tokenUrl };
  return undefined;
}

/** Its placeholders would be ours. */
const isAbsolute = (url: unknown): url is string =>
  typeof url === "string" && /^https?:\/\//i.test(url) && !url.includes("{") && URL.canParse(url);

/** What we can make of a scheme; undefined for those with a handshake (digest, mutual TLS, …). */
export function schemeKindOf(scheme: JsonObject): SchemeKind | undefined {
  switch (scheme.type) {
    case "apiKey": {
      const isPlaced = ["header", "query", "cookie"].includes(String(scheme.in));
      return isPlaced && textField(scheme, "name") !== undefined ? "apiKey" : undefined;
    }
    case "http": {
      const name = textField(scheme, "scheme")?.toLowerCase();
      if (name === "basic" || name === "bearer") return name;
      const isHandshake = [
        "digest",
        "hoba",
        "mutual",
        "negotiate",
        "scram-sha-1",
        "scram-sha-256",
        "dpop",
        "vapid",
      ];
      return name === undefined || isHandshake.includes(name) || !/^[\w-]+$/.test(name) ? undefined : "token";
    }
    case "oauth2": {
      const { tokenUrl } = objectField(objectField(scheme, "flows"), "clientCredentials");
      if (isAbsolute(tokenUrl)) return "clientCredentials";
      // A flow without its addresses ends in a token, which comes from outside.
      return loginFlowOf(scheme)?.flow ?? "bearer";
    }
    case "openIdConnect":
      return loginFlowOf(scheme)?.flow ?? "bearer";
    default:
      return undefined;
  }
}
