/** A compiled regular expression. */
export interface Matcher {
  test(text: string): boolean;
}

/** undefined for a pattern that cannot be used. */
export type CompilePattern = (pattern: string) => Matcher | undefined;

/** Longer patterns cost too much to compile. */
const MAX_PATTERN_LENGTH = 2000;
/** Repetitions such as `{1,1000}`, added up: each is one more state of the automaton. */
const MAX_REPETITIONS = 2000;
/** The native engine may try a pattern at every position: what it tries there must be short, in one of a few ways. */
const MAX_NATIVE_LENGTH = 500;
const MAX_WAYS = 1000;

/**
 * Schemas come from strangers, so that a pattern must never take more than linear time. Patterns that cannot backtrack
 * much run on the native engine. All others run on RE2, which is loaded only for them.
 */
export async function patternCompiler(patterns: Iterable<string>): Promise<CompilePattern> {
  const all = [...patterns];
  const needsRe2 = all.some((pattern) => native(pattern) === undefined);
  const re2 = needsRe2 ? (await import("re2js")).RE2JS : undefined;
  const known = new Map<string, Matcher | undefined>();
  return (pattern) => {
    if (!known.has(pattern)) known.set(pattern, native(pattern) ?? linear(pattern, re2));
    return known.get(pattern);
  };
}

/** Whether no engine here can run a pattern: it needs backtracking, and may do so without a bound. */
export function isNeverUsable(pattern: string): boolean {
  return needsBacktracking(pattern) && native(pattern) === undefined;
}

/** Why a pattern that no engine here can run is left out, and what to do about it. */
export function explainUnusable(pattern: string): { readonly message: string; readonly hint: string } {
  if (repetitions(pattern) > MAX_REPETITIONS)
    return {
      message: "The pattern is not checked: it is too long, or repeats too often",
      hint: "shorten it",
    };
  if (needsBacktracking(pattern)) {
    const message = "The pattern is not checked: look-around and back-references have no bound on time";
    return { message, hint: "write it without them" };
  }
  return { message: `The pattern is not checked: ${regexError(pattern)}`, hint: "correct it" };
}

function needsBacktracking(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  return [...pattern.matchAll(TOKEN)].some(([token]) => /^(?:\\[1-9k]|\(\?<?[=!])/.test(token));
}

function regexError(pattern: string): string {
  try {
    new RegExp(pattern, "u");
    return "it cannot be run in linear time";
  } catch (error) {
    return (error as Error).message;
  }
}

/** The native engine, if the pattern is valid for it and cannot backtrack much. */
function native(pattern: string): RegExp | undefined {
  if (pattern.length + repetitions(pattern) > MAX_NATIVE_LENGTH || !isCheap(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

function linear(pattern: string, re2: typeof import("re2js").RE2JS | undefined): Matcher | undefined {
  if (re2 === undefined || repetitions(pattern) > MAX_REPETITIONS) return undefined;
  try {
    // Python's name for the end of the text.
    return re2.compile(re2.translateRegExp(pattern.replaceAll("\\Z", "\\z")));
  } catch {
    return undefined;
  }
}

function repetitions(pattern: string): number {
  if (pattern.length > MAX_PATTERN_LENGTH) return Number.POSITIVE_INFINITY;
  return [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (sum, [, min, max]) => sum + Math.max(Number(min), Number(max ?? 0)),
    0,
  );
}

// A class that is never closed ends with the pattern, so that no part of it is read twice.
const TOKEN =
  /\\.|\[(?:\\.?|[^\]\\])*(?:\]|$)|\((?:\?(?:[:=!]|<[=!]|<\w+>|P<\w+>))?|[)|]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

interface Level {
  /** Ways to match that backtracking may try. */
  ways: number;
  /** Quantifiers without an upper bound. */
  unbounded: number;
  readonly isLookahead: boolean;
}

/**
 * Whether backtracking stays cheap: no repeated group, no back-reference, at most one unbounded quantifier in a pattern
 * that begins with `^` (and in each look-ahead), and few optional parts.
 */
function isCheap(pattern: string): boolean {
  const levels: Level[] = [{ ways: 1, unbounded: 0, isLookahead: false }];
  let isAnchored = pattern.startsWith("^");
  let hasUnbounded = false;
  let closed: Level | undefined;
  for (const [token] of pattern.matchAll(TOKEN)) {
    const level = levels.at(-1)!;
    const before = closed;
    closed = undefined;
    if (/^\\[1-9k]/.test(token) || token.startsWith("(?<")) return false;
    if (token.startsWith("(")) levels.push({ ways: 1, unbounded: 0, isLookahead: /^\(\?[=!]/.test(token) });
    else if (token === ")") {
      closed = levels.pop();
      const outer = levels.at(-1);
      if (closed === undefined || outer === undefined) return false;
      outer.ways *= closed.ways;
      if (!closed.isLookahead) outer.unbounded += closed.unbounded;
    } else if (token === "|") {
      level.ways += 1;
      if (levels.length === 1) isAnchored = false;
    } else if (/^[*+]|^\{\d+,\}/.test(token)) {
      if (before !== undefined) return false;
      level.unbounded += 1;
      hasUnbounded = true;
    } else if (token.startsWith("?")) level.ways *= 2;
    else if (token.startsWith("{") && token.length > 1) {
      const [min = 0, max = min] = token.match(/\d+/g)!.map(Number);
      if (before !== undefined) return false;
      level.ways *= Math.max(1, max - min + 1);
    }
    if (level.ways > MAX_WAYS || level.unbounded > 1) return false;
  }
  const [root] = levels;
  return (
    levels.length === 1 && root!.ways <= MAX_WAYS && root!.unbounded <= 1 && (isAnchored || !hasUnbounded)
  );
}
