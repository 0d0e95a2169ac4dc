import type * as z from "zod/mini";
import { nearest } from "../nearest.ts";
import { SUPPORTED_VERSIONS } from "../schema/document.ts";
import type { Place } from "../text.ts";
import type { Finding } from "./locate.ts";
import { isBody, isServer, isToolset, meantBranch } from "./meant.ts";
import { isObject, kindOf, valueAt } from "./value.ts";

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: "invalid_union" }>;
type Words = Pick<Finding, "message" | "hint">;

/** What the validator found, in words for the author of the file. `above` is where the issue's own path begins. */
export function explainIssue(issue: Issue, document: unknown, above: Place = []): Finding[] {
  const place = [...above, ...(issue.path as Place)];
  const value = valueAt(document, place);
  const found = (words: Words): Finding[] => [{ place, severity: "error", ...words }];

  if (place.length === 1 && place[0] === "schemaVersion") return found(version(value, document));
  const isMissing = value === undefined && place.length > 0;
  switch (issue.code) {
    case "invalid_union": {
      if (issue.discriminator !== undefined) return found(variant(issue, value, document, place));
      const branch = meantBranch(place, value);
      const inside = branch === undefined ? undefined : issue.errors[branch];
      if (inside !== undefined) return inside.flatMap((nested) => explainIssue(nested, document, place));
      return found(isMissing ? missing(document, place) : noBranch(issue, value, place));
    }
    case "invalid_type":
      return found(isMissing ? missing(document, place) : wrongType(issue.expected, value, place));
    case "invalid_value":
      return found(isMissing ? missing(document, place) : notOneOf(issue.values, value));
    default:
      // Of our own making: the schema's checks say what must hold.
      return found({ message: capital(issue.message) });
  }
}

function version(value: unknown, document: unknown): Words {
  if (value === undefined) {
    const { hint } = missing(document, ["schemaVersion"]);
    return { message: "Missing required field 'schemaVersion'", hint: hint ?? 'add "schemaVersion": "1.0"' };
  }
  if (typeof value !== "string" && typeof value !== "number") {
    return { message: `Schema version must be a string, found ${kindOf(value)}`, hint: 'write "1.0"' };
  }
  return {
    message: `Unsupported schema version '${clip(value)}'. Supported versions: ${SUPPORTED_VERSIONS}`,
  };
}

/** The `type` of an execution, an auth or a body is missing or unknown. */
function variant(
  { options = [] }: UnionIssue & { options?: unknown[] },
  value: unknown,
  document: unknown,
  place: Place,
): Words {
  const types = options.map(String);
  const owner = String(place.at(-2));
  const valid = `Valid types: ${types.join(", ")}`;
  if (value === undefined)
    return { message: `Missing required field 'type'. ${valid}`, hint: missing(document, place).hint };
  if (typeof value !== "string") return { message: `Must be a string, found ${kindOf(value)}. ${valid}` };
  return { message: `Invalid ${owner} type '${clip(value)}'. ${valid}`, hint: didYouMean(value, types) };
}

function noBranch(issue: UnionIssue, value: unknown, place: Place): Words {
  if (isToolset(place))
    return { message: `Must be the name of a toolset or an object with a name, found ${kindOf(value)}` };
  if ((isServer(place) || isBody(place)) && !isObject(value))
    return { message: `Must be an object, found ${kindOf(value)}` };
  if (isServer(place)) {
    return issue.inclusive === false
      ? {
          message: "An MCP server has either a 'command' or a 'url', not both",
          hint: "make two servers of it",
        }
      : { message: "An MCP server needs a 'command' (a program to start) or a 'url' (an address)" };
  }
  if (isBody(place)) return { message: "A body has exactly one of 'json', 'form' and 'raw'" };
  return {
    message: `Must be ${issue.message}, found ${kindOf(value)}${typeof value === "number" ? ` (${value})` : ""}`,
  };
}

function missing(document: unknown, place: Place): Words {
  const name = String(place.at(-1));
  const siblings = valueAt(document, place.slice(0, -1));
  const similar = isObject(siblings) ? nearest(name, Object.keys(siblings)) : undefined;
  return {
    message: `Missing required field '${name}'`,
    hint: similar === undefined ? undefined : `is '${clip(similar)}' meant to be it?`,
  };
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function wrongType(expected: string, value: unknown, place: Place): Words {
  if (place.length === 0 && (value === null || value === undefined)) {
    return { message: "The file is empty", hint: 'begin with schemaVersion: "1.0" and a list of tools' };
  }
  return {
    message: `Must be ${EXPECTED[expected] ?? expected}, found ${kindOf(value)}`,
    hint: typeHint(expected, value, place),
  };
}

function typeHint(expected: string, value: unknown, place: Place): string | undefined {
  if (expected === "array" && typeof value === "string")
    return `make it a list: [${JSON.stringify(clip(value))}]`;
  if (expected === "array" && isObject(value))
    return `${place.at(-1)} is a list: every item begins with its own name`;
  if (expected === "string" && (typeof value === "number" || typeof value === "boolean"))
    return "put it in quotes";
  return undefined;
}

function notOneOf(values: readonly unknown[], value: unknown): Words {
  const words = values.map(String);
  const allowed = words.length === 1 ? `'${words[0]}'` : `one of ${words.join(", ")}`;
  if (typeof value !== "string") return { message: `Must be ${allowed}, found ${kindOf(value)}` };
  return { message: `Must be ${allowed}, found '${clip(value)}'`, hint: didYouMean(value, words) };
}

export function didYouMean(value: string, candidates: readonly string[]): string | undefined {
  const similar = nearest(value, candidates);
  return similar === undefined ? undefined : `did you mean '${similar}'?`;
}

const clip = (value: string | number) => {
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const capital = (message: string) => message.charAt(0).toUpperCase() + message.slice(1);
