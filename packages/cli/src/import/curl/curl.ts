import { type Setting, writeSettings } from "mci-ts/authoring";
import { authOf, basicAuth, describeNoise, headerSetting, isNoise } from "../headers.ts";
import type { Imported } from "../imported.ts";
import { pathSetting } from "../path.ts";
import { annotationsFor, askEach, type Json, optionalField, RequestTool, toolName } from "../request.ts";
import { ImportVariables } from "../variables.ts";
import { bodyOf } from "./body.ts";
import { type CurlRequest, readCommand } from "./options.ts";
import { readShellLine } from "./words.ts";

/**
 * One tool from one curl command, as a browser copies it. Harmless values become defaults, secrets become variables, and
 * everything else is asked for.
 */
export function importCurl(command: string, name?: string): Imported {
  const request = readCommand(readShellLine(command));
  const url = new URL(request.url);
  if (url.username !== "")
    request.user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const variables = new ImportVariables();
  const tool = new RequestTool(url.hostname.replace(/^(www|api)\.|\.\w+$/g, ""), variables, true);
  const { setting: path, display } = pathSetting(`${url.origin}${url.pathname}`, tool);
  const { headers, auth } = readHeaders(request, tool);
  const data = request.data.map(({ text }) => text).join("&");
  const query = [
    ...url.searchParams,
    ...new URLSearchParams(request.query.join("&")),
    ...(request.isGet ? new URLSearchParams(data) : []),
  ];
  const params = askEach(query, tool, { default: true });
  const body = bodyOf(request, headers, tool);
  const method =
    request.method ?? (request.upload !== undefined ? "PUT" : body === undefined ? "GET" : "POST");
  const read = new Set<string>();
  const execution = writeSettings(
    {
      type: "http",
      method,
      url: path,
      ...optionalField("params", params),
      ...optionalField("headers", headers),
      ...(auth ? { auth } : {}),
      ...(body ? { body } : {}),
    },
    read,
  );
  const shownPath = display.slice(url.origin.length);
  const made = {
    name: name ?? toolName(`${method.toLowerCase()}_${shownPath === "/" ? url.hostname : shownPath}`),
    description: `${method} ${display}`,
    annotations: annotationsFor(method),
    inputSchema: tool.inputSchema(),
    envAllowList: [...read],
    execution,
  };
  return {
    document: { schemaVersion: "1.0", tools: [made] },
    skipped: [],
    warnings: [...request.warnings, ...describeNoise(request.noise), ...variables.warnings],
    variables: variables.readBy(read),
    secrets: variables.values,
  };
}

/** Names of headers are the same in any case. */
function lastOfEach(headers: readonly [string, string][]): [string, string][] {
  return [...Map.groupBy(headers, ([name]) => name.toLowerCase()).values()].map((same) => same.at(-1)!);
}

function readHeaders(
  request: CurlRequest,
  tool: RequestTool,
): { headers: Record<string, string | Setting>; auth: Json | undefined } {
  const headers: Record<string, string | Setting> = {};
  let auth: Json | undefined;
  if (request.user !== undefined) auth = basicAuth(request.user, tool);
  if (request.bearer !== undefined) auth = authOf(`Bearer ${request.bearer}`, tool);
  let { cookie } = request;
  for (const [name, same] of Map.groupBy(request.headers, ([key]) => key.toLowerCase()))
    if (same.length > 1 && !isNoise(name))
      request.warnings.push(`The header '${name}' is given ${same.length} times; the last one is sent.`);
  for (const [name, value] of lastOfEach(request.headers)) {
    const lower = name.toLowerCase();
    const credentials = lower === "authorization" ? authOf(value, tool) : undefined;
    if (credentials !== undefined) auth = credentials;
    else if (lower === "cookie") cookie = value;
    else if (isNoise(name)) request.noise.push(name);
    else headers[name] = headerSetting(name, value, tool);
  }
  // What a browser sends in cookies is a session: a secret as a whole.
  if (cookie !== undefined) headers.Cookie = tool.secret("cookie", "The Cookie header", cookie);
  return { headers, auth };
}
