import type { Imported } from "../imported.ts";
import {
  annotationsFor,
  askEach,
  authOf,
  isNoise,
  isSecret,
  type Json,
  literal,
  RequestTool,
  some,
  toolName,
} from "../request.ts";
import { bodyOf } from "./body.ts";
import { type CurlRequest, readCommand } from "./options.ts";
import { shellWords } from "./words.ts";

/** One tool from one curl command, as a browser copies it. Its values become defaults, its secrets variables. */
export function importCurl(command: string, name?: string): Imported {
  const request = readCommand(shellWords(command));
  const url = new URL(request.url);
  if (url.username !== "") request.user = url.username;
  const tool = new RequestTool(url.hostname.replace(/^(www|api)\.|\.\w+$/g, ""));
  const { headers, auth } = readHeaders(request, tool);
  const data = request.data.map(({ text }) => text).join("&");
  const query = [...url.searchParams, ...(request.isGet ? new URLSearchParams(data) : [])];
  const params = askEach(query, tool, { default: true });
  const body = bodyOf(request, headers, tool);
  const method =
    request.method ?? (request.upload !== undefined ? "PUT" : body === undefined ? "GET" : "POST");
  const execution = {
    type: "http",
    method,
    url: literal(`${url.origin}${url.pathname}`),
    ...some("params", params),
    ...some("headers", headers),
    ...(auth ? { auth } : {}),
    ...(body ? { body } : {}),
  };
  const made = {
    name: name ?? toolName(`${method.toLowerCase()}_${url.pathname === "/" ? url.hostname : url.pathname}`),
    description: `${method} ${url.origin}${url.pathname}`,
    annotations: annotationsFor(method),
    inputSchema: tool.inputSchema(),
    execution,
  };
  return {
    document: { schemaVersion: "1.0", tools: [made] },
    skipped: [],
    warnings: request.warnings,
    variables: [...tool.variables.values()],
  };
}

function readHeaders(
  request: CurlRequest,
  tool: RequestTool,
): { headers: Record<string, string>; auth: Json | undefined } {
  const headers: Record<string, string> = {};
  let auth: Json | undefined;
  if (request.user !== undefined) auth = authOf("Basic x", tool);
  if (request.isBearer) auth = authOf("Bearer x", tool);
  let { cookie } = request;
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    const known = lower === "authorization" ? authOf(value, tool) : undefined;
    if (known !== undefined) auth = known;
    else if (lower === "cookie") cookie = value;
    else if (isSecret(name)) headers[name] = tool.secret(name, `Header '${name}'`);
    else if (!isNoise(name)) headers[name] = literal(value);
  }
  // What a browser sends in cookies is a session: a secret as a whole.
  if (cookie !== undefined) headers.Cookie = tool.secret("cookie", "The Cookie header");
  return { headers, auth };
}
