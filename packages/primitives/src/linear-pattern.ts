/** A regular expression that takes linear time. */
export interface LinearPattern {
  test(text: string): boolean;
  /** What testing a text costs at most, in steps of about 20 ns. */
  work(text: string): number;
}

/** What is used of re2js. It is passed in, because not every user of a pattern needs it. */
export interface Re2 {
  compile(pattern: string): { test(text: string): boolean; programSize(): number };
  translateRegExp(pattern: string): string;
}

/** Longer patterns cost too much to compile. */
const MAX_PATTERN_LENGTH = 2000;
/** Repetitions such as `{1,1000}`, added up: each is one more state of the automaton. */
const MAX_REPETITIONS = 2000;
/** The native engine may try a pattern at every position: what it tries there must be short, in one of a few ways. */
const MAX_NATIVE_LENGTH = 500;
const MAX_WAYS = 1000;
const MAX_WAYS_EVERYWHERE = 16;
/** The native engine takes as many steps of its own in the time of one. */
const NATIVE_STEPS = 20;

/**
 * Schemas come from strangers, so that a pattern must never take more than linear time. One that cannot backtrack much
 * runs on the native engine; undefined for all others, and for what is not a pattern.
 */
export function nativePattern(pattern: string): LinearPattern | undefined {
  const length = pattern.length + repetitions(pattern);
  const cheap = length > MAX_NATIVE_LENGTH ? undefined : backtracking(pattern);
  if (cheap === undefined) return undefined;
  try {
    const expression = new RegExp(pattern, "u");
    const { ways, isAnchored } = cheap;
    return {
      test: (text) => expression.test(text),
      work: (text) => (isAnchored ? text.length + ways * length : text.length * ways * length) / NATIVE_STEPS,
    };
  } catch {
    return undefined;
  }
}

/** The pattern on RE2; undefined where it needs backtracking, repeats too often or is not a pattern. */
export function re2Pattern(pattern: string, re2: Re2): LinearPattern | undefined {
  if (repetitions(pattern) > MAX_REPETITIONS) return undefined;
  try {
    // Python's name for the end of the text.
    const compiled = re2.compile(re2.translateRegExp(pattern.replaceAll("\\Z", "\\z")));
    const size = compiled.programSize();
    return { test: (text) => compiled.test(text), work: (text) => (text.length + 1) * size };
  } catch {
    return undefined;
  }
}

/** Whether no engine here can run a pattern: it needs backtracking, and may do so without a bound. */
export function isNeverUsable(pattern: string): boolean {
  return needsBacktracking(pattern) && nativePattern(pattern) === undefined;
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
 * In how many ways backtracking may try a pattern, if that stays cheap: no repeated group, no back-reference, at most one
 * unbounded quantifier in a pattern that begins with `^` (and in each look-ahead), and few optional parts.
 */
function backtracking(pattern: string): { readonly ways: number; readonly isAnchored: boolean } | undefined {
  const levels: Level[] = [{ ways: 1, unbounded: 0, isLookahead: false }];
  let isAnchored = pattern.startsWith("^");
  let hasUnbounded = false;
  let closed: Level | undefined;
  for (const [token] of pattern.matchAll(TOKEN)) {
    const level = levels.at(-1)!;
    const before = closed;
    closed = undefined;
    if (/^\\[1-9k]/.test(token) || token.startsWith("(?<")) return undefined;
    if (token.startsWith("(")) levels.push({ ways: 1, unbounded: 0, isLookahead: /^\(\?[=!]/.test(token) });
    else if (token === ")") {
      closed = levels.pop();
      const outer = levels.at(-1);
      if (closed === undefined || outer === undefined) return undefined;
      outer.ways *= closed.ways;
      if (!closed.isLookahead) outer.unbounded += closed.unbounded;
    } else if (token === "|") {
      level.ways += 1;
      if (levels.length === 1) isAnchored = false;
    } else if (/^[*+]|^\{\d+,\}/.test(token)) {
      if (before !== undefined) return undefined;
      level.unbounded += 1;
      hasUnbounded = true;
    } else if (token.startsWith("?")) level.ways *= 2;
    else if (token.startsWith("{") && token.length > 1) {
      const [min = 0, max = min] = token.match(/\d+/g)!.map(Number);
      if (before !== undefined) return undefined;
      level.ways *= Math.max(1, max - min + 1);
    }
    if (level.ways > MAX_WAYS || level.unbounded > 1) return undefined;
  }
  const { ways, unbounded } = levels[0]!;
  const isCheap =
    levels.length === 1 &&
    unbounded <= 1 &&
    (isAnchored ? ways <= MAX_WAYS : !hasUnbounded && ways <= MAX_WAYS_EVERYWHERE);
  return isCheap ? { ways, isAnchored } : undefined;
}
