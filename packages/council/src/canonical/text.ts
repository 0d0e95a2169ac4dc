import { isPlainWord } from "./exact.ts";

/** Free text: quotes, articles, white space and the case of plain words do not count; every other sign does. */
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
  // "Los gatos" are cats, "Los Angeles" a city. "El" and "la" stay: el papa is not la papa.
  if (followsNothing && /^(?:los|las|o|os|as|um|uma|un|una)$/i.test(token)) {
    return /^\p{Ll}/u.test(next) && !/^(?:or|ou|o|y|e)$/.test(next);
  }
  return false;
}

/**
 * Only the case of plain words is folded. Beside a number capitals carry meaning: 5 Mb is not 5 MB. So they do in single
 * letters and in an answer of two: n is not N, CO is not Co.
 */
function foldCase(word: string, i: number, words: readonly string[]): string {
  const core = word.replace(/^[("']+|(?<![.,;:!?)"'])[.,;:!?)"']+$/g, "");
  const besideNumber = /\d$/.test(words[i - 1] ?? "") && word.replace(/\/.*/, "").length <= 3;
  const isShort = core.length === 1 || (words.length === 1 && core.length === 2);
  const folds = isPlainWord(core) || STANDARD.test(core);
  return besideNumber || isShort || !folds ? word : word.toLowerCase();
}

/** UTF-8, SHA-256, ISO-8601. With fewer letters it may be a formula: CO2 is not Co2. */
const STANDARD = /^(?:[A-Z]{3,}|[a-z]{3,})-?\d+$/;
