import { parseJson } from "@mci-ts/primitives/parse-json";

/** To indent a longer text takes longer than a page may stand still. */
const MAX_CHARS = 2_000_000;
/** Each level indents every line in it: more would make the text many times as long. */
const MAX_DEPTH = 50;

/**
 * A JSON object or array with a line for each of its values; undefined for any other text. Numbers and strings stay as they are
 * written: to parse and write them again would show other ones. `isCut`: the end is missing, so that it cannot be parsed.
 */
export function indentJson(text: string, isCut = false): string | undefined {
  if (text.length > MAX_CHARS || !/^\s*[[{]/.test(text)) return undefined;
  if (!isCut && parseJson(text) === undefined) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let last = "";
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (/^\s/.test(token)) continue;
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth--;
    if (depth < 0 || depth > MAX_DEPTH) return undefined;
    const isOpen = last === "{" || last === "[";
    if (isEnd ? !isOpen : (isOpen || last === ",") && depth > 0) parts.push(`\n${"  ".repeat(depth)}`);
    parts.push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth++;
    last = token;
  }
  return parts.join("");
}

const SIGNS = "{}[],:";
const BLANKS = " \t\n\r";

/** A string, also one whose end is missing; a sign; blanks; anything else up to the next of those. */
function endOfToken(text: string, start: number): number {
  const first = text[start]!;
  if (SIGNS.includes(first)) return start + 1;
  let at = start + 1;
  if (first === '"') {
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return Math.min(at + 1, text.length);
  }
  const isBlank = BLANKS.includes(first);
  while (
    at < text.length &&
    BLANKS.includes(text[at]!) === isBlank &&
    !SIGNS.includes(text[at]!) &&
    text[at] !== '"'
  )
    at++;
  return at;
}
