import { isPlainWord } from "./exact.ts";

/** Whether two free texts differ in what no rewording changes: a number, a name or piece of code, a "not". No model is asked then. */
export function contrasts(a: string, b: string): boolean {
  const [x, y] = [numbers(a), numbers(b)];
  const [p, q] = [exactTokens(a), exactTokens(b)];
  return (
    (x !== undefined && y !== undefined && x !== y) ||
    (p !== "" && q !== "" && p !== q) ||
    negations(a) % 2 !== negations(b) % 2
  );
}

/** Paths, escapes, identifiers with underscores: what is neither a plain word nor a number. */
function exactTokens(text: string): string {
  const tokens = text
    .split(/[\s`"']+/)
    .map((token) => token.replace(/^[(*]+|(?<![.,;:!?)*])[.,;:!?)*]+$/g, ""));
  return tokens
    .filter((token) => /[\\/_[\]{}|^$]/.test(token) && !isPlainWord(token))
    .toSorted()
    .join(" ");
}

/** Undefined where it names none: "a dozen" and "12" may still be the same. */
function numbers(text: string): string | undefined {
  return text
    .match(/\d+(?:[.,]\d+)*/g)
    ?.toSorted()
    .join(" ");
}

function negations(text: string): number {
  return (
    text.match(/\b(?:not|never|no|without|cannot|nunca|sem|sin)\b|n't\b|(?<!\p{L})não(?!\p{L})/giu)?.length ??
    0
  );
}
