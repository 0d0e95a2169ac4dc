import { isObject } from "../../../mci/src/is-object.ts";
import { CliError } from "../cli-error.ts";
import { shellWords } from "./curl-words.ts";
import type { Imported } from "./imported.ts";
import { annotationsFor, authOf, isNoise, isSecret, literal, RequestTool, toolName } from "./request.ts";

type Json = Record<string, unknown>;

/** One tool from one curl command, as a browser copies it. Its values become defaults, its secrets variables. */
export function importCurl(command: string, name?: string): Imported {
  const request = readCommand(shellWords(command));
  const url = new URL(request.url);
  const tool = new RequestTool(url.hostname.replace(/^(www|api)\.|\.\w+$/g, ""));
  const { headers, cookies, auth } = readHeaders(request, tool);
  const query = request.isGet
    ? [...url.searchParams, ...new URLSearchParams(request.data.join("&"))]
    : [...url.searchParams];
  const params = Object.fromEntries(
    query.map(([key, value]) => [
      key,
      isSecret(key) ? tool.secret(key, `Query parameter '${key}'`) : tool.ask(key, value, { default: true }),
    ]),
  );
  const body = bodyOf(request, headers, tool);
  const method = request.method ?? (body === undefined || request.isGet ? "GET" : "POST");
  const execution = {
    type: "http",
    method,
    url: literal(`${url.origin}${url.pathname}`),
    ...some("params", params),
    ...some("headers", headers),
    ...some("cookies", cookies),
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

interface CurlRequest {
  url: string;
  method?: string;
  isGet: boolean;
  readonly headers: [string, string][];
  readonly data: string[];
  readonly form: string[];
  user?: string;
  cookie?: string;
  readonly warnings: string[];
}

/** Options that take a value and say nothing about the request. */
const WITH_VALUE =
  /^(-[owTmxEKCDQrtUyYz]|--(output|write-out|max-time|connect-timeout|retry|retry-delay|proxy|cacert|cert|key|resolve|config|limit-rate|max-redirs|interface|tls-max|ciphers|cookie-jar|upload-file))$/;

function readCommand(words: readonly string[]): CurlRequest {
  if (words[0] !== "curl" && words[0] !== "curl.exe") {
    throw new CliError("That is no curl command.", {
      exitCode: 2,
      hint: "Quote it whole: mci import curl 'curl https://…'",
    });
  }
  const request: CurlRequest = { url: "", isGet: false, headers: [], data: [], form: [], warnings: [] };
  const queue = words.slice(1).flatMap(splitOption);
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const value = () => queue.shift() ?? "";
    if (word === "-X" || word === "--request") request.method = value().toUpperCase();
    else if (word === "-H" || word === "--header") {
      const [, key = "", text = ""] = /^([^:;]+)[:;]\s*([\s\S]*)$/.exec(value()) ?? [];
      if (key !== "") request.headers.push([key.trim(), text]);
    } else if (/^(-d|--data(-raw|-binary|-ascii)?)$/.test(word)) request.data.push(value());
    else if (word === "--data-urlencode") request.data.push(urlencoded(value()));
    else if (word === "--json") {
      request.data.push(value());
      request.headers.push(["Content-Type", "application/json"]);
    } else if (/^(-F|--form(-string)?)$/.test(word)) request.form.push(value());
    else if (word === "-u" || word === "--user") request.user = value();
    else if (word === "-b" || word === "--cookie") request.cookie = value();
    else if (/^(-A|--user-agent|-e|--referer)$/.test(word)) value();
    else if (word === "-G" || word === "--get") request.isGet = true;
    else if (word === "-I" || word === "--head") request.method = "HEAD";
    else if (word === "--url") request.url = value();
    else if (WITH_VALUE.test(word)) request.warnings.push(`The option ${word} ${value()} is left out.`);
    else if (word === "-k" || word === "--insecure")
      request.warnings.push("The option --insecure is left out: certificates are always checked.");
    else if (!word.startsWith("-")) request.url = word;
  }
  if (request.url !== "" && !/^[a-z]+:\/\//i.test(request.url)) request.url = `http://${request.url}`;
  if (!/^https?:\/\//i.test(request.url) || !URL.canParse(request.url)) {
    throw new CliError("The curl command has no http:// or https:// address.", { exitCode: 2 });
  }
  return request;
}

/** `-XPOST` and `--request=POST` are two words. */
function splitOption(word: string): string[] {
  if (/^-[XHdFubAeo]./.test(word)) return [word.slice(0, 2), word.slice(2)];
  const [, option, value] = /^(--[a-z-]+)=([\s\S]*)$/.exec(word) ?? [];
  return option === undefined ? [word] : [option, value!];
}

function urlencoded(text: string): string {
  const index = text.indexOf("=");
  if (index < 0) return encodeURIComponent(text);
  return `${text.slice(0, index)}${index === 0 ? "" : "="}${encodeURIComponent(text.slice(index + 1))}`;
}

function readHeaders(request: CurlRequest, tool: RequestTool) {
  const headers: Record<string, string> = {};
  const cookies: Record<string, string> = {};
  let auth: Json | undefined;
  if (request.user !== undefined) auth = authOf("Basic x", tool);
  let cookie = request.cookie;
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
  return { headers, cookies, auth };
}

function bodyOf(request: CurlRequest, headers: Record<string, string>, tool: RequestTool): Json | undefined {
  if (request.form.length > 0) return multipartOf(request.form, tool);
  if (request.data.length === 0 || request.isGet) return undefined;
  const text = request.data.join("&");
  const key = Object.keys(headers).find((name) => name.toLowerCase() === "content-type");
  const type = (key === undefined ? "application/x-www-form-urlencoded" : headers[key]!).toLowerCase();
  const json = type.includes("json") ? parsed(text) : undefined;
  if (isObject(json)) {
    if (key !== undefined && type === "application/json") delete headers[key];
    return { type: "json", content: fields(Object.entries(json), tool) };
  }
  if (json !== undefined) return { type: "json", content: tool.ask("body", json, { default: true }) };
  if (type.includes("x-www-form-urlencoded")) {
    if (key !== undefined) delete headers[key];
    return { type: "form", content: fields([...new URLSearchParams(text)], tool) };
  }
  return {
    type: "raw",
    content: tool.ask("body", text, { default: true }).replace("{!!", "{{").replace("!!}", "}}"),
  };
}

function fields(entries: readonly (readonly [string, unknown])[], tool: RequestTool): Json {
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isSecret(name) && typeof value === "string"
        ? tool.secret(name, `Field '${name}'`)
        : tool.ask(name, value, { default: true }),
    ]),
  );
}

function multipartOf(parts: readonly string[], tool: RequestTool): Json {
  const content: Json = {};
  const files: Json = {};
  for (const part of parts) {
    const [, name = "", value = ""] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
    if (/^[@<]/.test(value))
      files[name] = tool.ask(name, "", { required: true, description: "Path of the file to upload." });
    else content[name] = tool.ask(name, value.replace(/;type=[\s\S]*$/, ""), { default: true });
  }
  return { type: "multipart", content, ...some("files", files) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function some(name: string, values: Json): Json {
  return Object.keys(values).length === 0 ? {} : { [name]: values };
}
