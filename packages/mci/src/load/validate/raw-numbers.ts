import { exactInteger } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import type { Document } from "../../schema/document.ts";
import { defaultOf, exactDefaultOf } from "../../schema/json-schema/exact-default.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import type { RawNumber } from "../parse/parsed.ts";
import { valueAt } from "./values.ts";

/**
 * Restores the source text of numbers in text fields: `version: 1.10` is "1.10", not "1.1". Integers that JavaScript
 * cannot hold stay exact where that is possible: see `keepExact`.
 */
export function restoreRawNumbers(document: Document, numbers: readonly RawNumber[]): void {
  for (const { place, text } of numbers) {
    const path = validatedPath(document, place);
    const holder = valueAt(document, path.slice(0, -1)) as Record<string | number, unknown> | undefined;
    const key = path.at(-1)!;
    const value = typeof holder === "object" && holder !== null ? holder[key] : undefined;
    const isTextField = typeof value === "string" && value === String(Number(text));
    if (isTextField) holder![key] = text;
    const exact = typeof value === "number" ? exactInteger(text) : undefined;
    if (exact !== undefined) keepExact(document, path, exact, holder!);
  }
}

/**
 * Warns about integers that JavaScript cannot hold, where they are rounded. Before `restoreRawNumbers`, which changes the
 * places of the others.
 */
export function lostDigits(document: Document, numbers: readonly RawNumber[]): Diagnostic[] {
  return numbers
    .filter(({ place, text }) => {
      const path = validatedPath(document, place);
      const isNumber = typeof valueAt(document, path) === "number";
      return isNumber && exactInteger(text) !== undefined && handlingOf(document, path) === undefined;
    })
    .map(({ place, text }) => ({
      place,
      severity: "warning",
      message: `The integer ${text.slice(0, 60)} is above 2^53, and becomes ${Number(text)}`,
      hint: place.includes("inputSchema")
        ? "make the property a string, and put the number in quotes"
        : "write a smaller number",
    }));
}

type Handling = "text" | "template" | "default" | "value";

/** How a long integer stays exact in its place; undefined where it cannot. */
function handlingOf(document: Document, path: JsonPath): Handling | undefined {
  const [part, , setting, ...rest] = path;
  if (part === "tools" && setting === "execution") {
    if (isPrinted(document, path)) return "text";
    return rest[0] === "params" || (rest[0] === "body" && rest[1] === "content") ? "template" : undefined;
  }
  if (part === "tools" && setting === "inputSchema") return defaultAt(path) < 0 ? undefined : "default";
  const isOverride = setting === "overrides" && path[4] === "properties";
  return isOverride && (path[6] === "default" || path[6] === "value") ? "value" : undefined;
}

function keepExact(
  document: Document,
  path: JsonPath,
  exact: bigint,
  holder: Record<string | number, unknown>,
): void {
  const key = path.at(-1)!;
  switch (handlingOf(document, path)) {
    case "text":
      holder[key] = String(exact);
      break;
    case "template":
      holder[key] = `{!!${exact}!!}`;
      break;
    case "value":
      holder[key] = exact;
      break;
    case "default": {
      const at = defaultAt(path);
      const property = valueAt(document, path.slice(0, at)) as Record<string, unknown>;
      const value = { default: exactDefaultOf(property) };
      const inner = valueAt(value, path.slice(at, -1)) as Record<string | number, unknown>;
      inner[key] = exact;
      Object.assign(property, defaultOf(value.default));
      break;
    }
    case undefined:
  }
}

/** Where `default` stands in a path through `properties` only; -1 if nowhere. */
function defaultAt(path: JsonPath): number {
  let at = 3;
  while (path[at] === "properties" && path.length > at + 2) {
    at += 2;
    if (path[at] === "default") return at;
  }
  return -1;
}

/** Where a value of the file is after validation: aliases and short forms have become what they stand for. */
function validatedPath(document: Document, place: JsonPath): JsonPath {
  const [tools, index, execution, setting, kind, ...rest] = place;
  if (tools !== "tools" || execution !== "execution") return place;
  if (setting === "query") return [tools, index!, execution, "params", ...place.slice(4)];
  const body = valueAt(document, [tools, index!, execution, "body"]);
  const isShort = setting === "body" && isObject(body) && kind === body.type;
  return isShort ? [tools, index!, execution, setting, "content", ...rest] : place;
}

/** Whether a value is written out, not sent as JSON. */
function isPrinted(document: Document, place: JsonPath): boolean {
  const [tools, index, execution, setting, content, ...inside] = place;
  if (tools !== "tools" || execution !== "execution") return false;
  if (setting === "params") return inside.length === 0 || typeof inside[0] === "number";
  const body = valueAt(document, [tools, index!, execution, "body"]);
  return (
    setting === "body" &&
    content === "content" &&
    inside.length === 1 &&
    isObject(body) &&
    body.type === "form"
  );
}
