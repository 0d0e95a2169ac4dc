import { isObject } from "@mci-ts/primitives/is-object";
import { secretArguments, secretText, secretUrl, secretValues } from "./secrets.ts";
import type { ConfigVariables } from "./variables.ts";

type Json = Record<string, unknown>;

/** One server of a client as one of ours; a text says why it cannot be one. */
export function convertServer(
  name: string,
  server: Json,
  variables: ConfigVariables,
  warn: (message: string) => void,
): Json | string {
  if (server.disabled === true || server.enabled === false) return "is disabled";
  for (const field of Object.keys(server)) {
    const message = Object.hasOwn(LEFT_OUT, field) ? LEFT_OUT[field]! : `its '${field}' is left out`;
    if (!TAKEN.has(field) && server[field] !== undefined) warn(message);
  }
  // Older versions of Zed put the program into an object.
  const program = isObject(server.command) ? server.command : server;
  const command = isObject(server.command) ? (server.command.path ?? server.command.command) : server.command;
  if (typeof command === "string") {
    const env = isObject(program.env) ? secretValues(name, program.env, variables) : undefined;
    const args = Array.isArray(program.args) ? secretArguments(name, program.args, variables) : undefined;
    return {
      command: secretText(name, "command", command, variables),
      ...(args ? { args } : {}),
      ...(env ? { env } : {}),
    };
  }
  const url = server.url ?? server.serverUrl ?? server.httpUrl;
  if (typeof url !== "string") return "has neither command nor url";
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(url))
    return `is reached by ${url.split(":", 1)[0]}:, which MCI does not speak`;
  const headers = isObject(server.headers) ? secretValues(name, server.headers, variables) : undefined;
  const isSse = server.type === "sse" || server.transport === "sse" || server.transportType === "sse";
  return {
    ...(isSse ? { type: "sse" } : {}),
    url: secretUrl(name, url, variables),
    ...(headers ? { headers } : {}),
  };
}

/** What becomes a setting of ours, or says nothing about the server. */
const TAKEN = new Set(
  "command args env url serverUrl httpUrl headers type transport transportType disabled enabled description name source".split(
    " ",
  ),
);

/** What other clients can say and a file of ours cannot, with what to do instead. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  cwd: "its 'cwd' is left out: a server runs in the directory of the MCI file",
  envFile: "its 'envFile' is not read: pass the file with --dotenv",
  auth: "its 'auth' is left out: set an Authorization header with a token instead",
  oauth: "its 'oauth' is left out: set an Authorization header with a token instead",
  headersHelper: "its 'headersHelper' is left out: set headers instead",
};
