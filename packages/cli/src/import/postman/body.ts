import { isObject } from "../../../../mci/src/is-object.ts";
import { parseLoose } from "../parse-loose.ts";
import { fileBody, isSecret, type Json, type RequestTool, some, textPlaceholder } from "../request.ts";
import { textOf } from "./description.ts";
import { askAll, isDynamic } from "./fields.ts";
import type { PostmanText } from "./text.ts";

export function bodyOf(
  body: Json,
  tool: RequestTool,
  text: PostmanText,
  headers: Record<string, string>,
): Json | undefined {
  if (body.disabled === true) return undefined;
  switch (body.mode) {
    case "raw":
      return rawBody(String(body.raw ?? ""), body, tool, text, headers);
    case "urlencoded":
      return { type: "form", content: askAll(entries(body.urlencoded), tool, text) };
    case "formdata":
      return multipartBody(entries(body.formdata), tool, text);
    case "file":
      return fileBody(tool, fileOf(body.file));
    case "graphql":
      return graphqlBody(isObject(body.graphql) ? body.graphql : {}, tool, text);
    default:
      return undefined;
  }
}

function entries(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function fileOf(file: unknown): string | undefined {
  const source = isObject(file) ? file.src : undefined;
  return typeof source === "string" ? source : undefined;
}

function multipartBody(parts: readonly Json[], tool: RequestTool, text: PostmanText): Json {
  const isFile = ({ type }: Json) => type === "file";
  const files = parts.filter(isFile).map(({ key, description, contentType }) => {
    const path = tool.ask(String(key), "", {
      description: textOf(description) ?? "Path of the file to upload.",
    });
    return [String(key), typeof contentType === "string" ? { path, contentType } : path];
  });
  const texts = parts.filter((part) => !isFile(part));
  return {
    type: "multipart",
    content: askAll(texts, tool, text),
    ...some("files", Object.fromEntries(files)),
  };
}

/** Variables are a text in the export; each becomes a property of the object. */
function graphqlBody({ query, variables }: Json, tool: RequestTool, text: PostmanText): Json {
  const example = typeof variables === "string" ? parseLoose(variables) : variables;
  const names = isObject(example) ? Object.keys(example) : [];
  const description = names.length > 0 ? `Variables of the query: ${names.join(", ")}.` : "";
  return {
    type: "json",
    content: {
      query: text.render(String(query ?? "")),
      variables: tool.ask("variables", {}, { description }),
    },
  };
}

function rawBody(
  raw: string,
  body: Json,
  tool: RequestTool,
  text: PostmanText,
  headers: Record<string, string>,
): Json | undefined {
  if (raw.trim() === "") return undefined;
  const language =
    isObject(body.options) && isObject(body.options.raw) ? body.options.raw.language : undefined;
  const type = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1];
  const isText =
    (language !== undefined && language !== "json") || (type !== undefined && !/json/i.test(type));
  // Variables without quotes are no JSON yet; comments are none ever.
  const json = isText ? undefined : jsonOf(raw.replace(/(?<!")\{\{([^{}]+)\}\}(?!")/g, '"{{$1}}"'));
  if (isObject(json)) {
    const content = Object.entries(json).map(([key, value]) => [key, jsonValue(key, value, tool, text)]);
    return { type: "json", content: Object.fromEntries(content) };
  }
  if (json !== undefined) return { type: "json", content: tool.ask("body", json, { required: true }) };
  if (language === "xml" && type === undefined) headers["Content-Type"] = "application/xml";
  return { type: "raw", content: textPlaceholder(tool.ask("body", "", { required: true })) };
}

/** An object or a list; a reader of loose JSON finds a value in any text. */
function jsonOf(text: string): unknown {
  const value = /^\s*(?:\/[/*]|[[{])/.test(text) ? parseLoose(text) : undefined;
  return typeof value === "object" && value !== null ? value : undefined;
}

function jsonValue(key: string, value: unknown, tool: RequestTool, text: PostmanText): unknown {
  const isText = typeof value === "string";
  if (isText && value.includes("{{") && !isDynamic(value)) return text.render(value, isSecret(key));
  if (isText && isSecret(key)) return tool.secret(key, `Field '${key}'`);
  const description = isText && value !== "" ? `Example: ${value.slice(0, 100)}` : "";
  return tool.ask(key, value, { description });
}
