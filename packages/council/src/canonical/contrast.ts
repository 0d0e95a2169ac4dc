import { isPlainWord } from "./exact.ts";

/** What no rewording changes: numbers, names and pieces of code, and whether it is denied. */
export interface Fixed {
  /** Undefined where it names none: "a dozen" and "12" may still be the same. */
  readonly numbers: string | undefined;
  readonly tokens: string;
  readonly isDenied: boolean;
}

export const fixedIn = (text: string): Fixed => ({
  numbers: numbers(text),
  tokens: exactTokens(text),
  isDenied: negations(text) % 2 === 1,
});

/** Whether two free texts differ in what no rewording changes. No model is asked then. */
export function contrasts(a: Fixed, b: Fixed): boolean {
  return (
    (a.numbers !== undefined && b.numbers !== undefined && a.numbers !== b.numbers) ||
    (a.tokens !== "" && b.tokens !== "" && a.tokens !== b.tokens) ||
    a.isDenied !== b.isDenied
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
