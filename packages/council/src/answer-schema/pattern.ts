/** Attempts of the regular expression engine that one text may cost. */
const MAX_ATTEMPTS = 2_000_000;
const MAX_PATTERN_CHARS = 200;

/**
 * Why a pattern may not be run on a text of so many characters; undefined when it may. A backtracking engine tries every way to
 * divide the text among the quantifiers: the product of their ranges is a bound, as long as no group repeats.
 */
export function patternProblem(pattern: string, inputChars: number): string | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return `is longer than ${MAX_PATTERN_CHARS} characters`;
  if (/\(\?(?!:)|\\[1-9]|\\k|\\p/i.test(pattern))
    return "uses a lookaround, a named group, a back-reference or \\p, which are not supported";
  try {
    new RegExp(pattern);
  } catch (error) {
    return `is no regular expression: ${(error as Error).message}`;
  }
  // Classes and escapes are one atom each: what looks like a quantifier inside them is none.
  const atoms = pattern.replace(/\\./gs, "a").replace(/\[[^\]]*(?:\]|$)/g, "a");
  const { ways, atRoot } = alternatives(atoms);
  let attempts = atoms.startsWith("^") && atRoot === 1 ? ways : ways * inputChars;
  for (const [whole, before, quantifier] of atoms.matchAll(/(.)([*+?]|\{\d+(?:,\d*)?\})\??/gs)) {
    const range = rangeOf(quantifier!, inputChars);
    if (before === "(") continue; // `(?:` opens a group.
    if (before === ")" && range > 2) return `repeats a group (${whole}), which can take unbounded time`;
    attempts *= range;
  }
  return attempts > MAX_ATTEMPTS ? "has so many quantifiers that it can take unbounded time" : undefined;
}

/** In how many ways the alternatives can be chosen: one of each group. */
function alternatives(atoms: string): { ways: number; atRoot: number } {
  let ways = 1;
  const open = [1];
  for (const char of atoms) {
    if (char === "(") open.push(1);
    else if (char === "|") open[open.length - 1]!++;
    else if (char === ")") ways *= open.pop()!;
  }
  return { ways: ways * open[0]!, atRoot: open[0]! };
}

/** In how many ways a quantifier can match. */
function rangeOf(quantifier: string, inputChars: number): number {
  if (quantifier === "?") return 2;
  if (quantifier === "*" || quantifier === "+") return inputChars;
  const [least = "0", most] = quantifier.slice(1, -1).split(",");
  if (most === undefined) return 1;
  const highest = most === "" ? inputChars : Math.min(Number(most), inputChars);
  return Math.max(1, highest - Number(least) + 1);
}
