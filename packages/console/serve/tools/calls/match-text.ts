import { searchWords } from "../search-words.ts";

/** Whether every word of a search is somewhere in these JSON texts, in any order and any case. */
export function matchesText(search: string, texts: readonly string[]): boolean {
  return searchWords(search).every((word) => {
    // As it stands inside a JSON string.
    const written = JSON.stringify(word).slice(1, -1);
    const pattern = new RegExp(written.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
    return texts.some((text) => pattern.test(text));
  });
}
