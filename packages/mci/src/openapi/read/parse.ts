import { hasDuplicateKeys } from "@mci-ts/primitives/duplicate-keys";
import { isObject } from "@mci-ts/primitives/is-object";
import { parseDocument } from "yaml";
import { importError } from "../errors.ts";
import type { JsonObject } from "../json.ts";

/** Told of a key that its object has twice: of those before it nothing is left. */
export type OnRepeated = (what: string) => void;

/** JSON or YAML text as plain data. `name` is the file or address, for messages. */
export function parseText(text: string, name = "The document", onRepeated?: OnRepeated): JsonObject {
  const value = parsePart(text, name, onRepeated);
  if (isObject(value)) return value;
  throw importError(`${name} is not an OpenAPI document: it must be a JSON or YAML object.`);
}

/** A part of a document in a file of its own: any value, or text that a description refers to. */
export function parsePart(text: string, name: string, onRepeated: OnRepeated = () => {}): unknown {
  if (/\.(?:md|markdown|txt|html?)$/i.test(name)) return text;
  const content = text.replace(/^\uFEFF/, "");
  return /^\s*[{[]/.test(content)
    ? parseJson(content, name, onRepeated)
    : parseYaml(content, name, onRepeated);
}

function parseJson(text: string, name: string, onRepeated: OnRepeated): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A flow mapping of YAML begins with a brace, too.
    return parseYaml(text, name, onRepeated);
  }
  // The YAML parser knows where, and is slow.
  if (hasDuplicateKeys(text, value)) parseYaml(text, name, onRepeated);
  return value;
}

function parseYaml(text: string, name: string, onRepeated: OnRepeated): unknown {
  try {
    // Documents repeat keys by mistake; the last one wins, as in JSON. Aliases are limited by the parser.
    const document = parseDocument(text, { logLevel: "error", merge: true });
    const error = document.errors.find(({ code }) => code !== "DUPLICATE_KEY");
    if (error !== undefined) throw error;
    for (const { pos, linePos } of document.errors) {
      const key = /^[^\s:,{}]{1,80}/.exec(text.slice(pos[0], pos[0] + 80))?.[0] ?? "a key";
      onRepeated(`${key} (line ${linePos?.[0].line ?? "?"})`);
    }
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw importError(`${name} is neither JSON nor YAML: ${reason}`, cause);
  }
}
