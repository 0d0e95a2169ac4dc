import { z } from "zod";
import type { Detail } from "../service-error.ts";

/** Numbers of steps and events have 32 bits in the database. */
const MAX_INTEGER = 2 ** 31 - 1;

/** A whole number in an address, a query or a header. */
export const wholeNumber = (min: number, max = MAX_INTEGER) => z.coerce.number().int().min(min).max(max);

/** Problems beyond that are not listed. */
const MAX_PROBLEMS = 20;

/**
 * Texts of a request that no database can keep as they are: with a NUL, or with half of a surrogate pair. The client learns which,
 * instead of finding other text in the history.
 */
export function unstorableTexts(value: unknown, root = ""): Detail[] {
  const problems: Detail[] = [];
  const open: { readonly value: unknown; readonly path: string }[] = [{ value, path: root }];
  // Without recursion: a request may be nested deeply.
  for (let next = 0; next < open.length && problems.length < MAX_PROBLEMS; next++) {
    const { value, path } = open[next]!;
    if (typeof value === "string") {
      const problem = problemOf(value);
      if (problem !== undefined) problems.push({ path, message: `${path || "The body"} ${problem}` });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const place = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
        if (problemOf(key) !== undefined)
          problems.push({ path, message: `A name in ${path || "the body"} ${problemOf(key)}` });
        else open.push({ value: inner, path: place });
      }
    }
  }
  return problems;
}

function problemOf(text: string): string | undefined {
  if (text.includes("\0")) return "contains the character NUL (U+0000); remove it";
  if (!text.isWellFormed()) return "contains half of a surrogate pair; send valid Unicode";
  return undefined;
}
