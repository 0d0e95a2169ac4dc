const MAX_PATTERN_CHARS = 200;
const MAX_TEXT_CHARS = 200;
const MAX_REPEATS = 3;

/**
 * Whether a text matches a pattern; undefined where only the server should try. A pattern is a stranger's, and one whose groups
 * repeat can keep the page busy for ever: without such groups, with few repeats and a short text, it cannot.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (pattern.length > MAX_PATTERN_CHARS || text.length > MAX_TEXT_CHARS) return undefined;
  const plain = pattern.replace(/\\[^\d]/g, "x").replace(/\[[^[\]]{0,200}\]/g, "x");
  const repeats = plain.match(/[*+]|\{\d{1,9},?\d{0,9}\}/g) ?? [];
  if (/\)[*+{?]|\\\d|\(\?/.test(plain) || repeats.length > MAX_REPEATS) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}
