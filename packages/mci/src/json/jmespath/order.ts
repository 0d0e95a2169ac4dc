import type { ExpressionReference, Node } from "./ast.ts";
import type { EvaluationBudget } from "./budget.ts";
import { CHARS_PER_STEP } from "./compare.ts";
import { sizeOf, typeOf } from "./types.ts";

/** What functions work with. */
export interface Runtime {
  readonly budget: EvaluationBudget;
  readonly apply: (node: Node, value: unknown) => unknown;
}

type Key = number | string;

/** What `&expression` gives for each item: numbers only, or texts only. */
export function keysOf(
  [list, { node }]: readonly unknown[] & readonly [unknown[], ExpressionReference],
  { apply, budget }: Runtime,
): Key[] {
  budget.allocate(8 * list.length);
  const keys = list.map((item) => apply(node, item));
  const wanted = typeOf(keys[0]);
  for (const key of keys) {
    const type = typeOf(key);
    if (type !== wanted || (type !== "number" && type !== "string"))
      throw new Error(
        `the expression must give numbers or texts to compare by, but it gives ${wanted} and ${type}`,
      );
  }
  return keys as Key[];
}

export function best(
  list: readonly unknown[],
  keys: readonly Key[],
  sign: 1 | -1,
  { budget }: Runtime,
): unknown {
  let found = 0;
  for (let i = 1; i < keys.length; i++) {
    budget.spend(sizeOf(keys[i]));
    if (sign === 1 ? keys[i]! > keys[found]! : keys[i]! < keys[found]!) found = i;
  }
  return list[found] ?? null;
}

export function sorted(list: readonly unknown[], keys: readonly Key[], { budget }: Runtime): unknown[] {
  budget.allocate(16 * list.length);
  const order = Array.from(keys, (_, i) => i).sort((i, j) => {
    const [a, b] = [keys[i]!, keys[j]!];
    budget.spend(
      typeof a === "string" ? 0.25 + Math.min(a.length, (b as string).length) / CHARS_PER_STEP : 0.25,
    );
    return a < b ? -1 : a > b ? 1 : i - j;
  });
  return order.map((i) => list[i]);
}
