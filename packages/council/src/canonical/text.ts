/** Free text: case, quotes, articles and white space do not count; every other word and sign does. */
export function canonicalText(plain: string): string {
  // A code block amid prose: too easily damaged, so only white space is normalised.
  if (plain.includes("```")) return plain.replace(/\s+/g, " ");
  const tokens = plain
    .replace(/["`]/g, "")
    .replace(/(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu, "$1")
    .split(/\s+/)
    .filter((token) => token !== "");
  const words = tokens.filter((_, i) => !isArticle(tokens, i)).map(foldCase);
  return (words.length > 0 ? words : tokens).join(" ");
}

function isArticle(tokens: readonly string[], i: number): boolean {
  const token = tokens[i]!;
  const next = tokens[i + 1];
  if (next === undefined) return false; // "vitamin A", "an"
  const followsNothing = i === 0;
  if (/^(?:the|an)$/i.test(token)) return true;
  if (token === "a" || (token === "A" && followsNothing))
    return !/^(?:or|and|vs|ou|e|o|y|[^\p{L}\p{N}])/iu.test(next);
  // "El gato" is a cat, "El Salvador" a country.
  if (followsNothing && /^(?:el|la|los|las|o|os|as|um|uma|un|una)$/i.test(token)) {
    return /^\p{Ll}/u.test(next) && !/^(?:or|ou|o|y|e)$/.test(next);
  }
  return false;
}

/** Beside a number capitals carry meaning: 5 Mb is not 5 MB, 5G not 5 g. */
function foldCase(word: string, i: number, words: readonly string[]): string {
  const besideNumber = /\d$/.test(words[i - 1] ?? "") && word.replace(/\/.*/, "").length <= 3;
  return /^\d/.test(word) || besideNumber ? word : word.toLowerCase();
}
