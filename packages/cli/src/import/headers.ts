import { Setting } from "mci-ts/authoring";
import { isCredential, isCredentialName, isHarmless } from "./credentials.ts";
import { mediaTypeSetting } from "./media-type.ts";
import type { Json, RequestTool } from "./request.ts";

/** Headers that a browser or tool adds by itself. */
const NOISE =
  /^(sec-.*|accept-encoding|accept-language|connection|content-length|host|user-agent|referer|origin|priority|dnt|te|pragma|cache-control|upgrade-insecure-requests|if-none-match|if-modified-since|postman-token)$/i;
/** Headers whose value says what is sent or wanted. */
const PLAIN = /^(accept|content-type)$/i;

export const isNoise = (header: string): boolean => NOISE.test(header);

/** One line for headers that were left out as noise. */
export function describeNoise(headers: Iterable<string>): string[] {
  const names = new Map([...headers].map((name) => [name.toLowerCase(), name]));
  return names.size === 0
    ? []
    : [`Headers that browsers and tools add by themselves are left out: ${[...names.values()].join(", ")}`];
}

/** A header of the request: a variable, unless its value is known to be harmless. */
export function headerSetting(name: string, value: string, tool: RequestTool): Setting | string {
  if (PLAIN.test(name)) return mediaTypeSetting(name, value, tool);
  if (!isCredential(name, value) && isHarmless(name, value)) return value;
  if (/^cookie$/i.test(name)) return tool.secret("cookie", "The Cookie header", value);
  // The scheme of a credential is not a secret, and other values of the variable need it as well.
  const [scheme = ""] = isCredentialName(name)
    ? (/^(?:Bearer|Basic|Token|ApiKey|Key) +/i.exec(value) ?? [])
    : [];
  return Setting.join(scheme, tool.secret(name, `Header '${name}'`, value.slice(scheme.length)));
}

/** `auth` for an Authorization header; undefined if it is of no known kind. */
export function authOf(value: string, tool: RequestTool): Json | undefined {
  const [, kind = "", credentials = ""] = /^(bearer|basic)\s+([\s\S]*)$/i.exec(value) ?? [];
  if (kind.toLowerCase() === "bearer")
    return { type: "bearer", token: tool.secret("token", "Access token", credentials.trim()) };
  if (kind === "") return undefined;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  return basicAuth(text, tool);
}

/** `user:password`. */
export function basicAuth(text: string, tool: RequestTool): Json {
  const [user = "", password = ""] = text.split(/:(.*)/s, 2);
  return {
    type: "basic",
    username: tool.secret("username", "User name", user),
    password: tool.secret("password", "Password", password),
  };
}
