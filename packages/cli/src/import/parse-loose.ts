import { parse } from "jsonc-parser";

/** JSON as editors write it: with comments and trailing commas. */
export function parseLoose(text: string): unknown {
  return parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
}
