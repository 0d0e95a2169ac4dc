import { isObject } from "@mci-ts/primitives/is-object";
import { secretArguments, secretText, secretUrl, secretValues } from "./secrets.ts";
import type { ConfigVariables } from "./variables.ts";

type Json = Record<string, unknown>;

/** One server of a client as one of ours; a text says why it cannot be one. */
export function convertServer(
  name: string,
  written: Json,
  variables: ConfigVariables,
  warn: (message: string) => void,
): Json | string {
  const server = inUsualTerms(written);
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

/** opencode writes the program and its arguments as one list; Codex names variables where others have placeholders. */
function inUsualTerms(server: Json): Json {
  const {
    environment,
    env_vars: passed,
    bearer_token_env_var: token,
    http_headers,
    env_http_headers,
  } = server;
  const isOpencode = server.type === "local" || server.type === "remote";
  const isList = Array.isArray(server.command);
  const [command, ...args] = isList ? (server.command as unknown[]) : [];
  const names = Array.isArray(passed)
    ? passed.map((each) => (isObject(each) ? each.name : each)).filter((each) => typeof each === "string")
    : [];
  const env = {
    ...(isObject(server.env) ? server.env : {}),
    ...(isObject(environment) ? environment : {}),
    ...Object.fromEntries(names.map((each) => [each, `\${${each}}`])),
  };
  const headers = {
    ...(isObject(server.headers) ? server.headers : {}),
    ...(isObject(http_headers) ? http_headers : {}),
    ...(isObject(env_http_headers)
      ? Object.fromEntries(Object.entries(env_http_headers).map(([key, each]) => [key, `\${${each}}`]))
      : {}),
    ...(typeof token === "string" ? { Authorization: `Bearer \${${token}}` } : {}),
  };
  const usual: Json = {
    ...omit(server, ["environment", "env_vars", "bearer_token_env_var", "http_headers", "env_http_headers"]),
    ...(isList ? { command, args } : {}),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
  return isOpencode ? (withPlaceholders(usual) as Json) : usual;
}

/** `{env:NAME}` of opencode. */
function withPlaceholders(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\{env:(\w+)\}/g, "$${env:$1}");
  if (Array.isArray(value)) return value.map(withPlaceholders);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlaceholders(item)]));
}

function omit(server: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(server).filter(([key]) => !keys.includes(key)));
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
