import { isObject } from "@mci-ts/primitives/is-object";
import type { Setting } from "mci-ts/authoring";
import { isCredentialValue, namesCredential } from "../credentials.ts";
import type { Json, RequestTool } from "../request.ts";
import type { PostmanText } from "./text.ts";

/** The `auth` of a request. Settings are a list in the format 2.1 and an object in 2.0. */
export function authOf(auth: unknown, tool: RequestTool, text: PostmanText): Json | undefined {
  if (!isObject(auth) || typeof auth.type !== "string" || auth.type === "noauth") return undefined;
  const settings = settingsOf(auth[auth.type]);
  const value = (key: string, suffix: string, what: string) => {
    const written = String(settings[key] ?? "");
    const isVariable = /^\{\{[^{}]+\}\}$/.test(written);
    return isVariable ? text.credential(written, suffix, tool) : tool.secret(suffix, what, written);
  };
  switch (auth.type) {
    case "bearer":
      return { type: "bearer", token: value("token", "token", "Access token") };
    case "oauth2":
      return oauth2(settings, value);
    case "basic":
      return {
        type: "basic",
        username: value("username", "username", "User name"),
        password: value("password", "password", "Password"),
      };
    case "apikey":
      return {
        type: "apiKey",
        in: settings.in === "query" ? "query" : "header",
        name: String(settings.key ?? "X-API-Key"),
        value: value("value", "api_key", "API key"),
      };
    default:
      throw new Error(`its authentication '${auth.type}' has no counterpart in MCI`);
  }
}

function settingsOf(fields: unknown): Json {
  if (!Array.isArray(fields)) return isObject(fields) ? fields : {};
  return Object.fromEntries(fields.filter(isObject).map(({ key, value }) => [String(key), value]));
}

/** With client credentials MCI gets the token itself; other flows need a person, and end in a token. */
function oauth2(settings: Json, value: (key: string, suffix: string, what: string) => Setting): Json {
  const { grant_type: grant, accessTokenUrl: tokenUrl, scope } = settings;
  if (
    grant !== "client_credentials" ||
    typeof tokenUrl !== "string" ||
    !/^https?:\/\/[^{}@]+$/.test(tokenUrl) ||
    isCredentialValue(tokenUrl) ||
    namesCredential(tokenUrl)
  )
    return { type: "bearer", token: value("accessToken", "token", "Access token") };
  // The collection chooses this host.
  const host = `, sent to ${URL.parse(tokenUrl)?.origin ?? tokenUrl}`;
  const scopes = typeof scope === "string" ? scope.split(/\s+/).filter(Boolean) : [];
  return {
    type: "oauth2",
    flow: "clientCredentials",
    tokenUrl,
    clientId: value("clientId", "client_id", `OAuth client id${host}`),
    clientSecret: value("clientSecret", "client_secret", `OAuth client secret${host}`),
    ...(scopes.length > 0 ? { scopes } : {}),
  };
}
