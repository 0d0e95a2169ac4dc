import { toNumber } from "./number.ts";

/**
 * Equal by value; objects and arrays by their content. A number and a text that spells it are equal, at the top only:
 * inside of objects there are no conversions. A list of pairs instead of recursion, so that depth costs no stack.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "string") return left === toNumber(right);
  if (typeof left === "string" && typeof right === "number") return toNumber(left) === right;
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (!isComposite(a) || !isComposite(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push([a[key], b[key]]);
    }
  }
  return true;
}

function isComposite(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
