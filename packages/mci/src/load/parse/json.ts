import { hasDuplicateKeys } from "@mci-ts/primitives/duplicate-keys";
import type { Source } from "../read.ts";
import type { Parsed } from "./parsed.ts";

/** JSON.parse as long as all is well; a parser that knows positions only when there is something to point at. */
export async function parseJson({ file, text }: Source): Promise<Parsed> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    const { jsonSyntaxError } = await import("./json-errors.ts");
    throw jsonSyntaxError(file, text, cause);
  }
  let tree: Promise<import("./json-positions.ts").JsonTree> | undefined;
  const built = () => {
    tree ??= import("./json-positions.ts").then(({ jsonTree }) => jsonTree(file, text));
    return tree;
  };
  return {
    file,
    data,
    rawNumbers: UNUSUAL_NUMBER.test(text) ? (await built()).rawNumbers() : [],
    warnings: async () => (hasDuplicateKeys(text, data) ? (await built()).duplicateKeys() : []),
    locator: async () => (await built()).locate,
  };
}

/** A number that JavaScript may write in another way: `1.10`, `1e3`, `-0`, or more digits than it can hold. */
const UNUSUAL_NUMBER = /[:[,]\s*-?(?:\d{16}|\d+\.\d*0(?!\d)|\d+\.\d{16}|\d+(?:\.\d+)?[eE]|(?<=-)0(?![\d.]))/;
