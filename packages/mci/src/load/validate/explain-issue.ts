import { isObject } from "@mci-ts/primitives/is-object";
import type * as z from "zod/mini";
import { SUPPORTED_VERSIONS } from "../../schema/document.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { clip, didYouMean, type Message, missing, notOneOf, wrongType } from "./messages.ts";
import { isBody, isServer, isToolset, unionBranch } from "./union-branch.ts";
import { kindOf, valueAt } from "./values.ts";

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: "invalid_union" }>;

/** Converts a validator issue to diagnostics for the author of the file. `above` is the parent of the issue's path. */
export function explainIssue(issue: Issue, document: unknown, above: JsonPath = []): Diagnostic[] {
  const place = [...above, ...(issue.path as JsonPath)];
  const value = valueAt(document, place);
  const found = (words: Message): Diagnostic[] => [{ place, severity: "error", ...words }];

  if (place.length === 1 && place[0] === "schemaVersion") return found(version(value, document));
  if (issue.code === "invalid_union" && issue.discriminator !== undefined) {
    return found(variant(issue, value, document, place));
  }
  if (value === undefined && place.length > 0) return found(missing(document, place));
  switch (issue.code) {
    case "invalid_union": {
      const inside = issue.errors[unionBranch(place, value) ?? -1];
      if (inside === undefined) return found(noBranch(issue, value, place));
      return inside.flatMap((nested) => explainIssue(nested, document, place));
    }
    case "invalid_type":
      return found(wrongType(issue.expected, value, place));
    case "invalid_value":
      return found(
        place.at(-1) === "filter" ? wrongFilter(issue.values, value) : notOneOf(issue.values, value),
      );
    default:
      return found(expectation(issue, value));
  }
}

function version(value: unknown, document: unknown): Message {
  if (value === undefined) {
    const words = missing(document, ["schemaVersion"]);
    return { ...words, hint: words.hint ?? 'add "schemaVersion": "1.0"' };
  }
  if (typeof value !== "string" && typeof value !== "number") {
    return { message: `Schema version must be a string, found ${kindOf(value)}`, hint: 'write "1.0"' };
  }
  return {
    message: `Unsupported schema version '${clip(value)}'. Supported versions: ${SUPPORTED_VERSIONS}`,
  };
}

/** The `type` of an execution, an auth or a body, or the `flow` of an auth, is missing or unknown. */
function variant(issue: UnionIssue, value: unknown, document: unknown, place: JsonPath): Message {
  const types = ("options" in issue ? (issue.options ?? []) : []).map(String);
  const key = String(place.at(-1));
  const valid = `Valid ${key}s: ${types.join(", ")}`;
  if (value === undefined) {
    const { message, hint } = missing(document, place);
    return { message: `${message}. ${valid}`, hint };
  }
  if (typeof value !== "string") return { message: `Must be a string, found ${kindOf(value)}. ${valid}` };
  const owner = String(place.at(-2));
  return { message: `Invalid ${owner} ${key} '${clip(value)}'. ${valid}`, hint: didYouMean(value, types) };
}

/** The established message for invalid filters. */
function wrongFilter(types: readonly unknown[], value: unknown): Message {
  if (typeof value !== "string") return notOneOf(types, value);
  const message = `Invalid filter type '${clip(value)}'. Valid types: ${types.join(", ")}`;
  return { message, hint: didYouMean(value, types.map(String)) };
}

function noBranch(issue: UnionIssue, value: unknown, place: JsonPath): Message {
  if (isToolset(place)) {
    return { message: `Must be the name of a toolset or an object with a name, found ${kindOf(value)}` };
  }
  if (!isServer(place) && !isBody(place)) return expectation(issue, value);
  if (!isObject(value) || isBody(place)) return wrongType("object", value, place);
  return issue.inclusive === false
    ? { message: "An MCP server has either a 'command' or a 'url', not both", hint: "make two servers of it" }
    : { message: "An MCP server needs a 'command' (a program to start) or a 'url' (an address)" };
}

/** The schema's message, which completes "Must be …". A string may be a secret and is not shown. */
function expectation({ code, message }: Issue, value: unknown): Message {
  const isOnlyMisspelled = code !== "invalid_union" && typeof value === "string";
  if (isOnlyMisspelled) return { message: `Must be ${message}` };
  return { message: `Must be ${message}, found ${typeof value === "number" ? value : kindOf(value)}` };
}
