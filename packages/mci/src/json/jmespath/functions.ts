import { isObject } from "@mci-ts/primitives/is-object";
import type { EvaluationBudget } from "./budget.ts";
import { CHARS_PER_STEP, isEqual } from "./compare.ts";
import { best, keysOf, type Runtime, sorted } from "./order.ts";
import { hasType, sizeOf, type Type, typeOf } from "./types.ts";

interface BuiltIn {
  /** The types that each argument may have. */
  readonly takes: readonly (readonly Type[])[];
  /** Any number of the last argument. */
  readonly isVariadic?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the types are checked against `takes` before.
  readonly run: (args: any, runtime: Runtime) => unknown;
}

/** Checks the arguments and counts each item of a list and each piece of a text once; what takes more counts it itself. */
export function callFunction(name: string, values: readonly unknown[], runtime: Runtime): unknown {
  const { takes, isVariadic = false, run } = FUNCTIONS[name]!;
  if (isVariadic ? values.length < takes.length : values.length !== takes.length)
    throw new Error(
      `${name}() takes ${isVariadic ? "at least " : ""}${takes.length} arguments, not ${values.length}`,
    );
  values.forEach((value, i) => {
    runtime.budget.spend(sizeOf(value));
    const types = takes[Math.min(i, takes.length - 1)]!;
    if (!types.some((type) => hasType(value, type)))
      throw new Error(
        `argument ${i + 1} of ${name}() must be ${types.join(" or ")}, but it is ${typeOf(value)}`,
      );
  });
  return run(values, runtime);
}

const LISTS: readonly Type[] = ["number[]", "string[]"];

export const FUNCTIONS: Readonly<Record<string, BuiltIn>> = {
  abs: { takes: [["number"]], run: ([x]) => Math.abs(x) },
  avg: { takes: [["number[]"]], run: ([list]) => (list.length === 0 ? null : total(list) / list.length) },
  ceil: { takes: [["number"]], run: ([x]) => Math.ceil(x) },
  contains: { takes: [["string", "array"], ["any"]], run: contains },
  ends_with: { takes: [["string"], ["string"]], run: ([text, end]) => text.endsWith(end) },
  floor: { takes: [["number"]], run: ([x]) => Math.floor(x) },
  join: { takes: [["string"], ["string[]"]], run: join },
  keys: { takes: [["object"]], run: ([object], { budget }) => built(Object.keys(object), budget) },
  length: {
    takes: [["string", "array", "object"]],
    run: ([value]) => (isObject(value) ? Object.keys(value).length : value.length),
  },
  map: {
    takes: [["expression"], ["array"]],
    run: ([{ node }, list], { apply, budget }) =>
      built(list, budget).map((item) => apply(node, item) ?? null),
  },
  max: { takes: [LISTS], run: ([list], runtime) => best(list, list, 1, runtime) },
  max_by: {
    takes: [["array"], ["expression"]],
    run: (args, runtime) => best(args[0], keysOf(args, runtime), 1, runtime),
  },
  merge: { takes: [["object"]], isVariadic: true, run: merge },
  min: { takes: [LISTS], run: ([list], runtime) => best(list, list, -1, runtime) },
  min_by: {
    takes: [["array"], ["expression"]],
    run: (args, runtime) => best(args[0], keysOf(args, runtime), -1, runtime),
  },
  not_null: {
    takes: [["any"]],
    isVariadic: true,
    run: (values: unknown[]) => values.find((value) => value !== null) ?? null,
  },
  reverse: { takes: [["string", "array"]], run: reverse },
  sort: { takes: [LISTS], run: ([list], runtime) => sorted(list, list, runtime) },
  sort_by: {
    takes: [["array"], ["expression"]],
    run: (args, runtime) => sorted(args[0], keysOf(args, runtime), runtime),
  },
  starts_with: { takes: [["string"], ["string"]], run: ([text, start]) => text.startsWith(start) },
  sum: { takes: [["number[]"]], run: ([list]) => total(list) },
  to_array: { takes: [["any"]], run: ([value]) => (Array.isArray(value) ? value : [value]) },
  to_number: { takes: [["any"]], run: ([value]) => toNumber(value) },
  to_string: { takes: [["any"]], run: ([value], { budget }) => toText(value, budget) },
  type: { takes: [["any"]], run: ([value]) => typeOf(value) },
  values: { takes: [["object"]], run: ([object], { budget }) => built(Object.values(object), budget) },
};

const total = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0);

function built<T>(list: readonly T[], budget: EvaluationBudget): readonly T[] {
  budget.allocate(8 * list.length);
  return list;
}

function contains([subject, wanted]: readonly [string | unknown[], unknown], { budget }: Runtime): boolean {
  if (Array.isArray(subject)) return subject.some((item) => isEqual(item, wanted, budget));
  return typeof wanted === "string" && includesText(subject, wanted, budget);
}

function join([separator, list]: readonly [string, string[]], { budget }: Runtime): string {
  const chars = list.reduce((sum, text) => sum + text.length + separator.length, 0);
  budget.allocate(chars);
  budget.spend(chars / CHARS_PER_STEP);
  return list.join(separator);
}

function merge(objects: readonly Record<string, unknown>[], { budget }: Runtime): unknown {
  const entries = objects.flatMap((object) => Object.entries(object));
  budget.allocate(32 * entries.length);
  budget.spend(8 * entries.length); // Building an object takes about as long as listing a large one.
  return Object.fromEntries(entries);
}

function reverse([value]: readonly [string | unknown[]], { budget }: Runtime): unknown {
  budget.allocate(8 * value.length);
  if (Array.isArray(value)) return value.toReversed();
  budget.spend(value.length);
  return [...value].reverse().join("");
}

function toNumber(value: unknown): number | null {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : null;
}

function toText(value: unknown, budget: EvaluationBudget): string {
  if (typeof value === "string") return value;
  budget.measure(value);
  return JSON.stringify(value ?? null);
}

/** Below this length the engine's own search takes at most so many comparisons for each character. */
const MAX_NATIVE_CHARS = 32;

/** Like `text.includes(wanted)`, but in linear time: the engine's search is quadratic for texts that repeat themselves. */
function includesText(text: string, wanted: string, budget: EvaluationBudget): boolean {
  if (wanted.length > text.length) return false;
  if (wanted.length <= MAX_NATIVE_CHARS) {
    budget.spend((text.length * wanted.length) / CHARS_PER_STEP);
    return text.includes(wanted);
  }
  budget.spend((text.length + wanted.length) / 4);
  budget.allocate(4 * wanted.length);
  return search(text, wanted);
}

/** Knuth, Morris and Pratt: `borders[i]` is the longest proper prefix of `wanted` that ends at i. */
function search(text: string, wanted: string): boolean {
  const borders = new Uint32Array(wanted.length);
  for (let i = 1, length = 0; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = borders[length - 1]!;
    if (wanted[i] === wanted[length]) length++;
    borders[i] = length;
  }
  for (let i = 0, length = 0; i < text.length; i++) {
    while (length > 0 && text[i] !== wanted[length]) length = borders[length - 1]!;
    if (text[i] === wanted[length]) length++;
    if (length === wanted.length) return true;
  }
  return false;
}
