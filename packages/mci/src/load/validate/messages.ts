import { closestMatch } from "@mci-ts/primitives/closest-match";
import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonPath } from "../../template-api.ts";
import { splitArguments } from "./split-command-line.ts";
import { kindOf, valueAt } from "./values.ts";

/** A message, and what to do about it. */
export interface Message {
  readonly message: string;
  readonly hint?: string;
}

export function missing(document: unknown, place: JsonPath): Message {
  const name = String(place.at(-1));
  const siblings = valueAt(document, place.slice(0, -1));
  const similar = isObject(siblings) ? closestMatch(name, Object.keys(siblings)) : undefined;
  const hint = similar === undefined ? undefined : `is '${clip(similar)}' meant to be it?`;
  return { message: `Missing required field '${name}'`, hint };
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

export function wrongType(expected: string, value: unknown, place: JsonPath): Message {
  if (place.length === 0 && (value === null || value === undefined)) {
    return { message: "The file is empty", hint: 'begin with schemaVersion: "1.0" and a list of tools' };
  }
  if (expected === "never")
    return { message: "A body has exactly one of 'json', 'form' and 'raw'", hint: "remove this" };
  const message = `Must be ${EXPECTED[expected] ?? expected}, found ${kindOf(value)}`;
  return { message, hint: typeHint(expected, value, place) };
}

const KINDS: ReadonlySet<string> = new Set(["http", "cli", "file", "text", "mcp"]);
const COLLECTIONS: ReadonlySet<string> = new Set(["array", "object", "record"]);

function typeHint(expected: string, value: unknown, place: JsonPath): string | undefined {
  const key = place.at(-1);
  if (expected === "array" && typeof value === "string") {
    // There is no shell to split a command line.
    const items = key === "args" ? splitArguments(value) : [value];
    if (items === undefined || items.some((item) => item.length > 60))
      return key === "args" ? "make it a list, one item for each argument" : "make it a list: put it in [ ]";
    return `make it a list: ${JSON.stringify(items)}`;
  }
  if (expected === "object" && typeof value === "string" && key === "execution")
    return `write an object with a type: { "type": "${KINDS.has(value) ? value : "text"}", … }`;
  if (expected === "object" && typeof value === "string" && place.at(-2) === "flags")
    return `write { "from": ${JSON.stringify(clip(barePath(value)))}, "type": "value" }`;
  if (expected === "object" && typeof value === "number" && key === "retries")
    return `write { "attempts": ${value} }`;
  if (expected === "array" && isObject(value)) {
    return Object.values(value).every(isObject)
      ? `'${key}' is a list, not a map by name`
      : `'${key}' is a list: in YAML each item begins with '- ', in JSON they stand in [ ]`;
  }
  if (value === null && COLLECTIONS.has(expected))
    return "it has no value; in YAML, indent what belongs to it under it";
  if (place[0] === "mcp_servers" && Array.isArray(value)) return "servers are a map by name, not a list";
  if (expected === "string" && isObject(value) && place.includes("body"))
    return `to send an object write ${key === "raw" ? '"json" in place of "raw"' : '"type": "json"'}`;
  if (expected === "string" && (typeof value === "number" || typeof value === "boolean"))
    return "put it in quotes";
  return undefined;
}

/** The path in a lone placeholder: a flag names its property without braces. */
function barePath(value: string): string {
  const [, inner] = /^\s*(?:\{\{|\{!!)([^|{}!]*)(?:\}\}|!!\})\s*$/.exec(value) ?? [];
  return inner?.trim() || value;
}

export function notOneOf(values: readonly unknown[], value: unknown): Message {
  const words = values.map(String);
  const allowed = words.length === 1 ? `'${words[0]}'` : `one of ${words.join(", ")}`;
  if (typeof value !== "string") return { message: `Must be ${allowed}, found ${kindOf(value)}` };
  return { message: `Must be ${allowed}, found '${clip(value)}'`, hint: didYouMean(value, words) };
}

export function didYouMean(value: string, candidates: readonly string[]): string | undefined {
  const similar = closestMatch(value, candidates);
  return similar === undefined ? undefined : `did you mean '${similar}'?`;
}

/** Shortened, but recognisable. */
export function clip(value: string | number): string {
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
