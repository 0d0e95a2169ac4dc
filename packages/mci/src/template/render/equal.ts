import { isNumber, toNumber } from "./number.ts";

/** What the comparisons of one rendering cost. */
export interface ComparisonWork {
  /** Throws when the comparisons so far took too many steps. */
  count(steps: number): void;
  /** The keys of an object, which are listed once per rendering. */
  keysOf(value: object): readonly string[];
}

/**
 * Equal by value; objects and arrays by their content. A number and a text that spells it are equal, at the top only:
 * inside of objects there are no conversions. A list of pairs instead of recursion, so that depth costs no stack.
 */
export function isEqual(left: unknown, right: unknown, work: ComparisonWork): boolean {
  if (isNumber(left) && typeof right === "string") return left === toNumber(right);
  if (typeof left === "string" && isNumber(right)) return toNumber(left) === right;
  const pending: [Composite, Composite][] = [];
  /** False if they cannot be equal; what is inside of objects and arrays is compared later. */
  const matches = (a: unknown, b: unknown) => {
    work.count(sizeOf(a, b));
    if (a === b) return true;
    if (!isComposite(a) || !isComposite(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    pending.push([a, b]);
    return true;
  };
  if (!matches(left, right)) return false;
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = pair;
    const keys = work.keysOf(a);
    if (keys.length !== work.keysOf(b).length) return false;
    work.count(keys.length);
    for (const key of keys) if (!Object.hasOwn(b, key) || !matches(a[key], b[key])) return false;
  }
  return true;
}

type Composite = Record<string, unknown>;

function isComposite(value: unknown): value is Composite {
  return typeof value === "object" && value !== null;
}

/** Steps that comparing two values takes; only strings of one length are compared by their characters. */
function sizeOf(a: unknown, b: unknown): number {
  if (typeof a !== "string" || typeof b !== "string" || a.length !== b.length) return 1;
  return 1 + Math.floor(a.length / CHARS_PER_STEP);
}

/** Comparing so many characters takes about as long as any other step. */
const CHARS_PER_STEP = 1024;
