import { isObject } from "@mci-ts/primitives/is-object";
import { ExpressionReference, type Node, type Pair } from "./ast.ts";
import type { EvaluationBudget } from "./budget.ts";
import { compare, isFalse } from "./compare.ts";
import { callFunction } from "./functions.ts";
import { sizeOf } from "./types.ts";

/** The value of an expression for some data. Every node that is visited and every list that is built counts. */
export function evaluate(node: Node, data: unknown, budget: EvaluationBudget): unknown {
  budget.spend(1);
  switch (node.type) {
    case "Field":
      return isObject(data) && Object.hasOwn(data, node.name) ? (data[node.name] ?? null) : null;
    case "Index":
      return Array.isArray(data) ? (data.at(node.value) ?? null) : null;
    case "Slice":
      return Array.isArray(data) ? slice(data, node.children, budget) : null;
    case "Literal":
      return node.value;
    case "Identity":
    case "Current":
      return data;
    case "ExpressionReference":
      return new ExpressionReference(node.children[0]!);
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return evaluate(node.children[1]!, evaluate(node.children[0]!, data, budget), budget);
    case "Projection": {
      const list = evaluate(node.children[0]!, data, budget);
      return Array.isArray(list) ? project(list, node.children[1]!, budget) : null;
    }
    case "ValueProjection": {
      const object = evaluate(node.children[0]!, data, budget);
      if (!isObject(object)) return null;
      budget.spend(sizeOf(object));
      return project(Object.values(object), node.children[1]!, budget);
    }
    case "FilterProjection": {
      const [list, projected, condition] = node.children;
      const items = evaluate(list!, data, budget);
      if (!Array.isArray(items)) return null;
      const kept = items.filter((item) => !isFalse(evaluate(condition!, item, budget), budget));
      return project(kept, projected!, budget);
    }
    case "Flatten": {
      const list = evaluate(node.children[0]!, data, budget);
      return Array.isArray(list) ? flatten(list, budget) : null;
    }
    case "MultiSelectList":
      if (data === null) return null;
      budget.allocate(ITEM_BYTES * node.children.length);
      return node.children.map((child) => evaluate(child, data, budget));
    case "MultiSelectHash":
      if (data === null) return null;
      budget.allocate(PAIR_BYTES * node.children.length);
      return select(node.children, data, budget);
    case "OrExpression": {
      const first = evaluate(node.children[0]!, data, budget);
      return isFalse(first, budget) ? evaluate(node.children[1]!, data, budget) : first;
    }
    case "AndExpression": {
      const first = evaluate(node.children[0]!, data, budget);
      return isFalse(first, budget) ? first : evaluate(node.children[1]!, data, budget);
    }
    case "NotExpression":
      return isFalse(evaluate(node.children[0]!, data, budget), budget);
    case "Comparator":
      return compare(
        node.name,
        evaluate(node.children[0]!, data, budget),
        evaluate(node.children[1]!, data, budget),
        budget,
      );
    case "Function": {
      const values = node.children.map((child) => evaluate(child, data, budget));
      return callFunction(node.name, values, {
        budget,
        apply: (expression, value) => evaluate(expression, value, budget),
      });
    }
  }
}

/** A reference in a list or object. */
const ITEM_BYTES = 8;
const PAIR_BYTES = 32;

function select(pairs: readonly Pair[], data: unknown, budget: EvaluationBudget): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { name, value: node } of pairs) {
    const value = evaluate(node, data, budget);
    // An assignment would set the prototype instead.
    if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true });
    else object[name] = value;
  }
  return object;
}

function project(list: readonly unknown[], node: Node, budget: EvaluationBudget): unknown[] {
  budget.allocate(ITEM_BYTES * list.length);
  const values: unknown[] = [];
  for (const item of list) {
    const value = evaluate(node, item, budget);
    if (value !== null && value !== undefined) values.push(value);
  }
  return values;
}

function flatten(list: readonly unknown[], budget: EvaluationBudget): unknown[] {
  const flat: unknown[] = [];
  for (const item of list) {
    const items = Array.isArray(item) ? item : [item];
    budget.spend(1 + items.length);
    budget.allocate(ITEM_BYTES * items.length);
    for (const one of items) flat.push(one);
  }
  return flat;
}

/** `[start:stop:step]`, as in Python. */
function slice(
  list: readonly unknown[],
  [from = null, to = null, by = null]: readonly (number | null)[],
  budget: EvaluationBudget,
): unknown[] {
  const step = by ?? 1;
  if (step === 0) throw new Error("the step of a slice cannot be 0");
  const start = from === null ? (step < 0 ? list.length - 1 : 0) : clamp(from, list.length, step);
  const stop = to === null ? (step < 0 ? -1 : list.length) : clamp(to, list.length, step);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  budget.spend(count);
  budget.allocate(8 * count);
  return Array.from({ length: count }, (_, i) => list[start + i * step]);
}

function clamp(index: number, length: number, step: number): number {
  const lowest = step < 0 ? -1 : 0;
  if (index < 0) return Math.max(lowest, index + length);
  return index >= length ? length + lowest : index;
}
