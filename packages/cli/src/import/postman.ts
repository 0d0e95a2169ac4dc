import { isObject } from "../../../mci/src/is-object.ts";
import { CliError } from "../cli-error.ts";
import type { Imported, Skipped, Variable } from "./imported.ts";
import { parseLoose } from "./parse-loose.ts";
import { PostmanText } from "./postman-text.ts";
import { annotationsFor, isNoise, isSecret, RequestTool, toolName } from "./request.ts";

type Json = Record<string, unknown>;

/** Folders nested deeper are left out. */
const MAX_DEPTH = 50;

/** A Postman collection (2.0, 2.1) as a toolset: one tool for each request, folders become tags. */
export function importPostman(source: string, prefix = ""): Imported {
  const collection = parseLoose(source);
  if (!isObject(collection) || !Array.isArray(collection.item)) {
    throw new CliError("The file is no Postman collection: it has no list 'item'.", {
      hint: "Export the collection from Postman in the format 2.1.",
    });
  }
  const info = isObject(collection.info) ? collection.info : {};
  const variables = new Map<string, Variable>();
  const skipped: Skipped[] = [];
  const tools: (Json & { name: string })[] = [];
  const taken = new Set<string>();
  const title = String(info.name ?? "api");
  const text = new PostmanText(collection.variable, title, variables);

  const visit = (items: readonly unknown[], tags: readonly string[], auth: unknown, depth: number): void => {
    for (const item of items) {
      if (!isObject(item)) continue;
      const label = String(item.name ?? "request");
      if (Array.isArray(item.item)) {
        if (depth < MAX_DEPTH) visit(item.item, [...tags, label], item.auth ?? auth, depth + 1);
        continue;
      }
      try {
        const base = `${prefix}${toolName(label)}`.slice(0, 60);
        let name = base;
        for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
        tools.push({ name, ...toolOf(item, tags, auth, text, title, variables) });
        taken.add(name);
      } catch (error) {
        skipped.push({
          what: label,
          reason: error instanceof Error ? error.message : String(error),
          byChoice: false,
        });
      }
    }
  };
  visit(collection.item, [], collection.auth, 0);
  const description = typeof info.description === "string" ? info.description.slice(0, 300) : undefined;
  return {
    document: {
      schemaVersion: "1.0",
      metadata: { name: title, ...(description ? { description } : {}) },
      tools,
    },
    skipped,
    warnings: [],
    variables: [...variables.values()],
  };
}

function toolOf(
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
  const description = request.description ?? item.description;
  return {
    description:
      [item.name, isObject(description) ? description.content : description]
        .filter(Boolean)
        .join("\n\n")
        .slice(0, 1024) || `${method} ${url}`,
    annotations: annotationsFor(method),
    ...(tags.length > 0 ? { tags } : {}),
    inputSchema: tool.inputSchema(),
    execution: {
      type: "http",
      method,
      url,
      ...(Object.keys(params).length > 0 ? { params } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(auth ? { auth } : {}),
      ...(body ? { body } : {}),
    },
  };
}

function urlOf(url: unknown, tool: RequestTool, text: PostmanText): { url: string; params: Json } {
  const raw = typeof url === "string" ? url : isObject(url) ? String(url.raw ?? "") : "";
  if (raw === "") throw new Error("it has no address");
  const [address = "", search = ""] = raw.split("?", 2);
  const declared = isObject(url) && Array.isArray(url.variable) ? url.variable.filter(isObject) : [];
  const withScheme = /^[a-z]+:\/\/|^\{\{/i.test(address) ? address : `https://${address}`;
  const path = text.render(withScheme).replace(/(?<=\/):([A-Za-z_]\w*)/g, (_, name: string) => {
    const variable = declared.find(({ key }) => key === name);
    const placeholder = tool.ask(name, "", {
      required: true,
      description: String(variable?.description ?? ""),
    });
    return placeholder.replace("{!!", "{{").replace("!!}", "}}");
  });
  const query =
    isObject(url) && Array.isArray(url.query)
      ? url.query.filter(isObject)
      : [...new URLSearchParams(search)].map(([key, value]) => ({ key, value }) as Json);
  const params = query.map((item) => [
    String(item.key),
    placeholderFor(String(item.key), item.value, item, tool, text),
  ]);
  return { url: path, params: Object.fromEntries(params) };
}

/** A variable of the collection stays one; any other value is an example of what to give. */
function placeholderFor(
  name: string,
  value: unknown,
  item: Json,
  tool: RequestTool,
  text: PostmanText,
): string {
  if (typeof value === "string" && value.includes("{{")) return text.render(value);
  if (isSecret(name)) return tool.secret(name, `Parameter '${name}'`);
  const note = item.description ?? (value ? `Example: ${String(value).slice(0, 100)}` : "");
  return tool.ask(name, typeof value === "object" ? value : String(value ?? ""), {
    description: String(note),
  });
}

function headersOf(list: unknown, tool: RequestTool, text: PostmanText): Record<string, string> {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  const wanted = items.filter(
    ({ key, disabled }) => typeof key === "string" && disabled !== true && !isNoise(key),
  );
  return Object.fromEntries(
    wanted.map(({ key, value }) => {
      const content = String(value ?? "");
      const isHidden = isSecret(String(key)) && !content.includes("{{");
      return [String(key), isHidden ? tool.secret(String(key), `Header '${key}'`) : text.render(content)];
    }),
  );
}

function bodyOf(
  body: Json,
  tool: RequestTool,
  text: PostmanText,
  headers: Record<string, string>,
): Json | undefined {
  const entries = (list: unknown) =>
    Array.isArray(list) ? list.filter(isObject).filter(({ disabled }) => disabled !== true) : [];
  const content = (list: Json[]) =>
    Object.fromEntries(
      list.map((item) => [String(item.key), placeholderFor(String(item.key), item.value, item, tool, text)]),
    );
  switch (body.mode) {
    case "raw":
      return rawBody(String(body.raw ?? ""), body, tool, text, headers);
    case "urlencoded":
      return { type: "form", content: content(entries(body.urlencoded)) };
    case "formdata": {
      const [files, texts] = [
        entries(body.formdata).filter(({ type }) => type === "file"),
        entries(body.formdata).filter(({ type }) => type !== "file"),
      ];
      const uploads = files.map(({ key }) => [
        String(key),
        tool.ask(String(key), "", { description: "Path of the file to upload." }),
      ]);
      return {
        type: "multipart",
        content: content(texts),
        ...(uploads.length > 0 ? { files: Object.fromEntries(uploads) } : {}),
      };
    }
    case "file":
      return {
        type: "file",
        content: asText(tool.ask("body", "", { required: true, description: "Path of the file to send." })),
      };
    case "graphql": {
      const query = isObject(body.graphql) ? String(body.graphql.query ?? "") : "";
      return { type: "json", content: { query: text.render(query), variables: tool.ask("variables", {}) } };
    }
    default:
      return undefined;
  }
}

function rawBody(
  raw: string,
  body: Json,
  tool: RequestTool,
  text: PostmanText,
  headers: Record<string, string>,
): Json | undefined {
  if (raw.trim() === "") return undefined;
  // Variables without quotes are no JSON yet.
  const json = parsed(raw.replace(/(?<!")\{\{([^{}]+)\}\}(?!")/g, '"{{$1}}"'));
  if (isObject(json)) {
    const content = Object.entries(json).map(([key, value]) => [key, jsonValue(key, value, tool, text)]);
    return { type: "json", content: Object.fromEntries(content) };
  }
  if (json !== undefined) return { type: "json", content: tool.ask("body", json) };
  const options =
    isObject(body.options) && isObject(body.options.raw) ? body.options.raw.language : undefined;
  if (options === "xml" && !Object.keys(headers).some((name) => /^content-type$/i.test(name)))
    headers["Content-Type"] = "application/xml";
  return { type: "raw", content: asText(tool.ask("body", "", { required: true })) };
}

function jsonValue(key: string, value: unknown, tool: RequestTool, text: PostmanText): unknown {
  if (typeof value === "string" && value.includes("{{")) return text.render(value);
  return tool.ask(key, value, {
    description: typeof value === "string" && value !== "" ? `Example: ${value.slice(0, 100)}` : "",
  });
}

function authOf(auth: unknown, tool: RequestTool, text: PostmanText): Json | undefined {
  if (!isObject(auth) || typeof auth.type !== "string") return undefined;
  const given = auth[auth.type];
  const settings: Json = Array.isArray(given)
    ? Object.fromEntries(given.filter(isObject).map(({ key, value }) => [String(key), value]))
    : isObject(given)
      ? given
      : {};
  const value = (key: string, suffix: string, what: string) => {
    const written = String(settings[key] ?? "");
    return /^\{\{[^{}]+\}\}$/.test(written) ? text.render(written) : tool.secret(suffix, what);
  };
  switch (auth.type) {
    case "bearer":
    case "oauth2":
      return {
        type: "bearer",
        token: value(auth.type === "bearer" ? "token" : "accessToken", "token", "Access token"),
      };
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
    case "noauth":
      return undefined;
    default:
      throw new Error(`its authentication '${auth.type}' has no counterpart in MCI`);
  }
}

function asText(placeholder: string): string {
  return placeholder.replace("{!!", "{{").replace("!!}", "}}");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
