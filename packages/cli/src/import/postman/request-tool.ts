import { isObject } from "../../../../mci/src/is-object.ts";
import type { Variable } from "../imported.ts";
import {
  annotationsFor,
  isNoise,
  isSecret,
  type Json,
  RequestTool,
  some,
  textPlaceholder,
} from "../request.ts";
import { authOf } from "./auth.ts";
import { bodyOf } from "./body.ts";
import { textOf } from "./description.ts";
import { askAll } from "./fields.ts";
import type { PostmanText } from "./text.ts";

/** The tool of one request. Throws where MCI cannot say what the request needs. */
export function requestTool(
  item: Json,
  tags: readonly string[],
  inherited: unknown,
  text: PostmanText,
  title: string,
  variables: Map<string, Variable>,
): Json {
  const request = typeof item.request === "string" ? { url: item.request } : item.request;
  if (!isObject(request)) throw new Error("it has no request");
  const tool = new RequestTool(title);
  const method = String(request.method ?? "GET").toUpperCase();
  const { url, params } = urlOf(request.url, tool, text);
  const headers = headersOf(request.header, tool, text);
  const body = isObject(request.body) ? bodyOf(request.body, tool, text, headers) : undefined;
  const auth = authOf(request.auth ?? inherited, tool, text);
  for (const [name, variable] of tool.variables) variables.set(name, variable);
  const description = [item.name, textOf(request.description) ?? textOf(item.description)].filter(Boolean);
  return {
    description: description.join("\n\n").slice(0, 1024) || `${method} ${url}`,
    annotations: annotationsFor(method),
    ...(tags.length > 0 ? { tags } : {}),
    inputSchema: tool.inputSchema(),
    execution: {
      type: "http",
      method,
      url,
      ...some("params", params),
      ...some("headers", headers),
      ...(auth ? { auth } : {}),
      ...(body ? { body } : {}),
    },
  };
}

function urlOf(url: unknown, tool: RequestTool, text: PostmanText): { url: string; params: Json } {
  const raw = typeof url === "string" ? url : isObject(url) ? String(url.raw ?? joined(url)) : "";
  if (raw === "") throw new Error("it has no address");
  const [address = "", search = ""] = raw.replace(/#[^{}]*$/, "").split(/\?(.*)/s, 2);
  const declared = isObject(url) && Array.isArray(url.variable) ? url.variable.filter(isObject) : [];
  const withScheme = /^[a-z]+:\/\/|^\{\{/i.test(address) ? address : `https://${address}`;
  const path = text.render(withScheme).replace(/(?<=\/):([A-Za-z_][\w-]*)/g, (_, name: string) => {
    const variable = declared.find(({ key, id }) => (key ?? id) === name);
    const description = textOf(variable?.description) ?? exampleOf(variable?.value);
    return textPlaceholder(tool.ask(name, "", { required: true, description }));
  });
  const query =
    isObject(url) && Array.isArray(url.query)
      ? url.query.filter(isObject)
      : [...new URLSearchParams(search)].map(([key, value]): Json => ({ key, value }));
  return { url: path, params: askAll(query, tool, text) };
}

/** Some exports have the parts of an address only. */
function joined({ protocol = "https", host, port, path }: Json): string {
  const list = (value: unknown, separator: string) =>
    Array.isArray(value)
      ? value.map((part) => (isObject(part) ? String(part.value ?? "") : String(part))).join(separator)
      : String(value ?? "");
  const name = list(host, ".");
  if (name === "") return "";
  const origin = name.includes("{{") ? name : `${protocol}://${name}`;
  return `${origin}${port ? `:${port}` : ""}/${list(path, "/").replace(/^\//, "")}`;
}

function exampleOf(value: unknown): string {
  return typeof value === "string" && value !== "" ? `Example: ${value.slice(0, 100)}` : "";
}

function headersOf(list: unknown, tool: RequestTool, text: PostmanText): Record<string, string> {
  const items = typeof list === "string" ? linesOf(list) : Array.isArray(list) ? list.filter(isObject) : [];
  const wanted = items.filter(
    ({ key, disabled }) => typeof key === "string" && key !== "" && disabled !== true && !isNoise(key),
  );
  return Object.fromEntries(
    wanted.map(({ key, value }) => {
      const content = String(value ?? "");
      const name = String(key);
      if (isSecret(name) && !content.includes("{{")) return [name, tool.secret(name, `Header '${name}'`)];
      return [name, text.render(content, isSecret(name))];
    }),
  );
}

/** The format 2.0 allows headers as one text. */
function linesOf(text: string): Json[] {
  return text.split(/\r?\n/).map((line) => {
    const [key = "", value = ""] = line.split(/:\s*(.*)/s, 2);
    return { key: key.trim(), value };
  });
}
