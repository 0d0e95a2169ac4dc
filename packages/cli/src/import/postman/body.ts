import { isObject, objectsIn } from "@mci-ts/primitives/is-object";
import { Setting } from "mci-ts/authoring";
import { isCredential } from "../credentials.ts";
import { mediaTypeSetting } from "../media-type.ts";
import { parseLoose } from "../parse-loose.ts";
import { checkedKey, fileBody, type Json, optionalField, type RequestTool, settingOf } from "../request.ts";
import { textOf } from "./description.ts";
import { askAll, jsonSetting } from "./fields.ts";
import type { PostmanText } from "./text.ts";

type Headers = Record<string, string | Setting>;

export function bodyOf(
  body: Json,
  tool: RequestTool,
  text: PostmanText,
  headers: Headers,
  warn: (message: string) => void,
): Json | undefined {
  if (body.disabled === true) return undefined;
  switch (body.mode) {
    case "raw":
      return rawBody(String(body.raw ?? ""), body, tool, text, headers, warn);
    case "urlencoded":
      return { type: "form", content: askAll(objectsIn(body.urlencoded), tool, text, warn) };
    case "formdata":
      return multipartBody(objectsIn(body.formdata), tool, text, warn);
    case "file":
      return fileBody(tool, fileOf(body.file));
    case "graphql":
      return graphqlBody(isObject(body.graphql) ? body.graphql : {}, tool, text);
    case undefined:
    case "none":
      return undefined;
    default:
      warn(`a body of the kind '${body.mode}' is left out`);
      return undefined;
  }
}

function fileOf(file: unknown): string | undefined {
  const source = isObject(file) ? file.src : undefined;
  return typeof source === "string" ? source : undefined;
}

function multipartBody(
  parts: readonly Json[],
  tool: RequestTool,
  text: PostmanText,
  warn: (message: string) => void,
): Json {
  const isFile = ({ type }: Json) => type === "file";
  const files = parts.filter(isFile).map(({ key, description, contentType }) => {
    const path = tool.ask(String(key), "", {
      description: textOf(description) ?? "Path of the file to upload.",
    });
    const name = checkedKey(String(key));
    return [name, isText(contentType) ? { path, contentType: typeOf(name, contentType, tool) } : path];
  });
  const texts = parts.filter((part) => !isFile(part));
  const types = texts.flatMap(({ key, contentType }) =>
    isText(contentType) ? [[String(key), typeOf(String(key), contentType, tool)]] : [],
  );
  return {
    type: "multipart",
    content: askAll(texts, tool, text, warn),
    ...optionalField("files", Object.fromEntries(files)),
    ...optionalField("contentTypes", Object.fromEntries(types)),
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const typeOf = (name: string, type: string, tool: RequestTool) =>
  mediaTypeSetting(`${name}_type`, type, tool);

/** Variables are a text in the export; each becomes a property of the object. */
function graphqlBody({ query, variables }: Json, tool: RequestTool, text: PostmanText): Json {
  const example = typeof variables === "string" ? parseLoose(variables) : variables;
  const names = isObject(example) ? Object.keys(example) : [];
  const description = names.length > 0 ? `Variables of the query: ${names.join(", ")}.` : "";
  return {
    type: "json",
    content: {
      query: graphqlQuery(String(query ?? ""), tool, text),
      variables: tool.ask("variables", {}, { description }),
    },
  };
}

/** Texts in the query itself may be credentials: `login(password: "…")`. */
function graphqlQuery(query: string, tool: RequestTool, text: PostmanText): Setting {
  const pieces: (string | Setting)[] = [];
  let end = 0;
  for (const { name, value, start } of graphqlTexts(query)) {
    if (!isCredential(name, value)) continue;
    const label = name || "query";
    pieces.push(
      text.render(query.slice(end, start), "query", tool),
      value.includes("{{")
        ? text.credential(value, label, tool)
        : tool.secret(label, `'${name}' of the query`, value),
    );
    end = start + value.length;
  }
  return Setting.join(...pieces, text.render(query.slice(end), "query", tool));
}

/** A block of text or a text in quotes. One that is never closed ends with the query, so that no part of it is read twice. */
const GRAPHQL_TEXT = /"""(?<block>[\s\S]*?)(?:"""|$)|"(?<quoted>(?:[^"\\]|\\[\s\S])*)\\?(?:"|$)/g;

/** The texts of a query, each with the name of its argument. */
function* graphqlTexts(query: string): Generator<{ name: string; value: string; start: number }> {
  let end = 0;
  for (const { 0: match, index, groups = {} } of query.matchAll(GRAPHQL_TEXT)) {
    const [name = ""] =
      /(?<!\w)\w*$/.exec(query.slice(end, index).trimEnd().replace(/:$/, "").trimEnd()) ?? [];
    const { block, quoted = "" } = groups;
    yield { name, value: block ?? quoted, start: index + (block === undefined ? 1 : 3) };
    end = index + match.length;
  }
}

function rawBody(
  raw: string,
  body: Json,
  tool: RequestTool,
  text: PostmanText,
  headers: Headers,
  warn: (message: string) => void,
): Json | undefined {
  if (raw.trim() === "") return undefined;
  const language =
    isObject(body.options) && isObject(body.options.raw) ? body.options.raw.language : undefined;
  const declared = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1];
  const type = typeof declared === "string" ? declared : declared?.template;
  const isText =
    (language !== undefined && language !== "json") || (type !== undefined && !/json/i.test(type));
  // Variables without quotes are not JSON yet; comments never are.
  const json = isText ? undefined : jsonOf(raw.replace(/(?<!")\{\{([^{}]+)\}\}(?!")/g, '"{{$1}}"'));
  if (isObject(json)) {
    const content = Object.entries(json).map(([key, value]) => [
      checkedKey(key),
      jsonSetting(key, value, tool, text),
    ]);
    return { type: "json", content: Object.fromEntries(content) };
  }
  if (json !== undefined) return { type: "json", content: settingOf("body", json, tool, { required: true }) };
  if (language === "xml" && type === undefined) headers["Content-Type"] = "application/xml";
  if (language === "json") {
    warn("its JSON body cannot be read, so the whole body is asked for as text");
    if (type === undefined) headers["Content-Type"] = "application/json";
  }
  return { type: "raw", content: tool.askText("body", "", { required: true }) };
}

/** An object or a list; a reader of loose JSON finds a value in any text. */
function jsonOf(text: string): unknown {
  const value = /^\s*(?:\/[/*]|[[{])/.test(text) ? parseLoose(text) : undefined;
  return typeof value === "object" && value !== null ? value : undefined;
}
