import type { Document } from "../../schema/document.ts";
import type { SpelledNumber } from "../parse/parsed.ts";

/** Where text was wanted and a number was written, the file's own spelling: `version: 1.10` is "1.10", not "1.1". */
export function keepSpelling(document: Document, numbers: readonly SpelledNumber[]): void {
  for (const { place, text } of numbers) {
    let holder: unknown = document;
    for (const step of place.slice(0, -1))
      holder = (holder as Record<string | number, unknown> | undefined)?.[step];
    const key = place.at(-1)!;
    const values = holder as Record<string | number, unknown> | undefined;
    // Numbers that stayed numbers are what the author wanted; so is anything that only happens to stand there.
    if (typeof values?.[key] === "string" && values[key] === String(Number(text))) values[key] = text;
  }
}
