import { isObject } from "@mci-ts/primitives/is-object";
import type { Comparator } from "./ast.ts";
import type { EvaluationBudget } from "./budget.ts";

/** null where values of these types have no order. */
export function compare(
  name: Comparator,
  first: unknown,
  second: unknown,
  budget: EvaluationBudget,
): boolean | null {
  if (name === "EQ") return isEqual(first, second, budget);
  if (name === "NE") return !isEqual(first, second, budget);
  if (!hasOrder(first) || !hasOrder(second)) return null;
  spendOnTexts(first, second, budget);
  const [a, b] = [first as number, second as number];
  if (name === "GT") return a > b;
  if (name === "GTE") return a >= b;
  return name === "LT" ? a < b : a <= b;
}

export function isEqual(first: unknown, second: unknown, budget: EvaluationBudget): boolean {
  budget.spend(1);
  spendOnTexts(first, second, budget);
  if (first === second) return true;
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === second.length && first.every((item, i) => isEqual(item, second[i], budget));
  if (!isObject(first) || !isObject(second) || Array.isArray(first) || Array.isArray(second)) return false;
  if (budget.countKeys(first) !== budget.countKeys(second)) return false;
  const keys = Object.keys(first);
  budget.spend(keys.length);
  return keys.every((key) => Object.hasOwn(second, key) && isEqual(first[key], second[key], budget));
}

/** What JMESPath counts as false. */
export function isFalse(value: unknown, budget: EvaluationBudget): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && budget.countKeys(value) === 0;
}

const hasOrder = (value: unknown) => typeof value === "number" || typeof value === "string";

/** Long texts that begin alike take long to compare. */
function spendOnTexts(first: unknown, second: unknown, budget: EvaluationBudget): void {
  if (typeof first === "string" && typeof second === "string")
    budget.spend(Math.min(first.length, second.length) / CHARS_PER_STEP);
}

/** Characters that are compared or copied in the time of one step. */
export const CHARS_PER_STEP = 64;
