import { isObject } from "../../is-object.ts";
import type { Document } from "../../schema/document.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import type { RawNumber } from "../parse/parsed.ts";
import { valueAt } from "./values.ts";

/**
 * Restores the source text of numbers in text fields: `version: 1.10` is "1.10", not "1.1". Integers that JavaScript
 * cannot hold become text also where they are sent as text: in parameters and forms.
 */
export function restoreRawNumbers(document: Document, numbers: readonly RawNumber[]): void {
  for (const { place, text } of numbers) {
    const path = validatedPath(document, place);
    const holder = valueAt(document, path.slice(0, -1)) as Record<string | number, unknown> | undefined;
    const key = path.at(-1)!;
    const value = typeof holder === "object" && holder !== null ? holder[key] : undefined;
    const isTextField = typeof value === "string" && value === String(Number(text));
    const isSentAsText = typeof value === "number" && isLossy(text) && isPrinted(document, path);
    if (isTextField || isSentAsText) holder![key] = text;
  }
}

/** Warns about integers that JavaScript cannot hold, where they stay numbers. */
export function lostDigits(document: Document, numbers: readonly RawNumber[]): Diagnostic[] {
  return numbers
    .filter(
      ({ place, text }) =>
        isLossy(text) && typeof valueAt(document, validatedPath(document, place)) === "number",
    )
    .map(({ place, text }) => ({
      place,
      severity: "warning",
      message: `The integer ${text.slice(0, 60)} is above 2^53, and becomes ${Number(text)}`,
      hint: place.includes("inputSchema")
        ? "make the property a string, and put the number in quotes"
        : `put it in quotes, which sends text: "${text.slice(0, 60)}"`,
    }));
}

/** An integer whose digits are not those of the nearest JavaScript number. */
function isLossy(text: string): boolean {
  if (!/^[-+]?\d{16,400}$/.test(text)) return false;
  const value = Number(text);
  return !Number.isFinite(value) || BigInt(value) !== BigInt(text.replace("+", ""));
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
