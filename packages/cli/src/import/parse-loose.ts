import { parse } from "jsonc-parser";

/** JSON as editors write it: with comments and trailing commas. */
export function parseLoose(text: string): unknown {
  return parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
