import { isObject } from "@mci-ts/primitives/is-object";
import { parseDocument } from "yaml";
import { importError } from "../errors.ts";
import type { JsonObject } from "../json.ts";

/** JSON or YAML text as plain data. `name` is the file or address, for messages. */
export function parseText(text: string, name = "The document"): JsonObject {
  const content = text.replace(/^\uFEFF/, "");
  const value = /^\s*[{[]/.test(content) ? parseJson(content, name) : parseYaml(content, name);
  if (isObject(value)) return value;
  throw importError(`${name} is not an OpenAPI document: it must be a JSON or YAML object.`);
}

/** A part of a document in a file of its own: any value, or text that a description refers to. */
export function parsePart(text: string, name: string): unknown {
  if (/\.(?:md|markdown|txt|html?)$/i.test(name)) return text;
  const content = text.replace(/^\uFEFF/, "");
  return /^\s*[{[]/.test(content) ? parseJson(content, name) : parseYaml(content, name);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A flow mapping of YAML begins with a brace, too.
    return parseYaml(text, name);
  }
}

function parseYaml(text: string, name: string): unknown {
  try {
    // Documents repeat keys by mistake; the last one wins, as in JSON. Aliases are limited by the parser.
    const document = parseDocument(text, { uniqueKeys: false, logLevel: "error", merge: true });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw importError(`${name} is neither JSON nor YAML: ${reason}`, cause);
  }
}
