import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonSchema } from "./inline.ts";
import { checkKeywords } from "./keywords.ts";
import {
  arrayProblem,
  isEqualJson,
  type LazyMessage,
  numberProblem,
  objectProblem,
  textOf,
} from "./own-checks.ts";
import { createTextCheck, type TextCheck } from "./texts.ts";
import { votedPart } from "./vote-key.ts";
import { Work, WorkLimitError } from "./work.ts";

interface AnswerProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The first problem of a value; undefined if it fits. */
export type AnswerValidator = (value: unknown) => AnswerProblem | undefined;

type Path = readonly (string | number)[];

/** Its message is made for the problem that is reported, not for every alternative and item that was tried. */
interface FoundProblem {
  readonly path: Path;
  readonly message: LazyMessage;
}

/**
 * Checks a value against an inlined schema. Both may be hostile, and checking is synchronous: every schema that is applied to
 * a value, every value and every pattern counts, and what takes too long does not fit. Lengths are checked first.
 */
export function createAnswerValidator(schema: JsonSchema): AnswerValidator {
  const texts = new Map<JsonSchema, TextCheck>();
  prepare(schema);
  return (value) => {
    const work = new Work();
    try {
      work.measure(value);
      const problem = problemOf(schema, value, [], work);
      if (problem) return { path: problem.path, message: textOf(problem.message) };
      // What is voted on is looked for in all alternatives, also those that were not tried.
      votedPart([schema], value, undefined, new Work());
      return undefined;
    } catch (error) {
      if (error instanceof WorkLimitError) return { path: [], message: error.message };
      throw error;
    }
  };

  function prepare(part: unknown): void {
    if (!isObject(part)) return;
    checkKeywords(part);
    texts.set(part, createTextCheck(part));
    for (const child of childrenOf(part)) prepare(child);
  }

  function problemOf(part: unknown, value: unknown, path: Path, work: Work): FoundProblem | undefined {
    if (part === true) return undefined;
    if (!isObject(part)) return { path, message: "must not be there" };
    work.spend(1);
    const message = ownProblem(part, value, work);
    if (message !== undefined) return { path, message };
    return composedProblem(part, value, path, work) ?? childProblem(part, value, path, work);
  }

  /** The problem of the value itself, without what it holds. */
  function ownProblem(part: JsonSchema, value: unknown, work: Work): LazyMessage | undefined {
    const { type, enum: allowed, const: only, not } = part;
    if (not !== undefined) return "must not be there";
    const types = type === undefined ? [] : [type].flat();
    if (types.length > 0 && !types.some((one) => hasType(value, one)))
      return `must be of type ${types.join(" or ")}`;
    if (Array.isArray(allowed) && !allowed.some((one) => isEqualJson(one, value, work)))
      return () => `must be one of ${JSON.stringify(allowed).slice(0, 200)}`;
    if (only !== undefined && !isEqualJson(only, value, work))
      return () => `must be ${JSON.stringify(only).slice(0, 200)}`;
    if (typeof value === "string") return texts.get(part)!(value, work);
    if (typeof value === "number") return numberProblem(part, value);
    if (Array.isArray(value)) return arrayProblem(part, value, work);
    return isObject(value) ? objectProblem(part, value, work) : undefined;
  }

  function composedProblem(
    part: JsonSchema,
    value: unknown,
    path: Path,
    work: Work,
  ): FoundProblem | undefined {
    const { allOf = [], anyOf, oneOf } = part as Record<string, unknown[] | undefined>;
    for (const one of allOf) {
      const problem = problemOf(one, value, path, work);
      if (problem) return problem;
    }
    const fits = (one: unknown) => problemOf(one, value, path, work) === undefined;
    if (anyOf && !anyOf.some(fits)) {
      const [single, ...more] = anyOf;
      if (more.length === 0) return problemOf(single, value, path, work);
      return { path, message: "fits none of the alternatives" };
    }
    if (oneOf && oneOf.filter(fits).length !== 1)
      return { path, message: "must fit exactly one of the alternatives" };
    return undefined;
  }

  function childProblem(part: JsonSchema, value: unknown, path: Path, work: Work): FoundProblem | undefined {
    if (Array.isArray(value)) return itemProblem(part, value, path, work);
    if (!isObject(value)) return undefined;
    const { properties, additionalProperties, propertyNames } = part;
    if (properties === undefined && additionalProperties === undefined && propertyNames === undefined)
      return undefined;
    for (const name of work.keysOf(value)) {
      const own = isObject(properties) && Object.hasOwn(properties, name);
      const child = own ? properties[name] : additionalProperties;
      if (child === false && !own)
        return { path, message: `must not have the property ${JSON.stringify(name.slice(0, 100))}` };
      const problem =
        (propertyNames === undefined ? undefined : problemOf(propertyNames, name, path, work)) ??
        (child === undefined ? undefined : problemOf(child, value[name], [...path, name], work));
      if (problem) return problem;
    }
    return undefined;
  }

  function itemProblem(
    part: JsonSchema,
    list: readonly unknown[],
    path: Path,
    work: Work,
  ): FoundProblem | undefined {
    const { prefixItems, items, additionalItems, contains, minContains = 1, maxContains } = part;
    const first = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    for (const [i, item] of rest === undefined ? list.slice(0, first.length).entries() : list.entries()) {
      const child = i < first.length ? first[i] : rest;
      const problem = child === undefined ? undefined : problemOf(child, item, [...path, i], work);
      if (problem) return problem;
    }
    if (contains === undefined) return undefined;
    const found = list.filter((item) => problemOf(contains, item, path, work) === undefined).length;
    if (found < Number(minContains))
      return { path, message: `must contain at least ${minContains} items that fit` };
    if (maxContains !== undefined && found > Number(maxContains))
      return { path, message: `must contain at most ${maxContains} items that fit` };
    return undefined;
  }
}

/** Every schema directly inside a schema. */
function childrenOf(schema: JsonSchema): unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === "properties") return Object.values(value as object);
    return SCHEMAS.has(keyword) ? [value].flat() : [];
  });
}

const SCHEMAS: ReadonlySet<string> = new Set([
  ...["anyOf", "oneOf", "allOf", "items", "prefixItems", "additionalItems"],
  ...["additionalProperties", "propertyNames", "contains"],
]);

function hasType(value: unknown, type: unknown): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (typeof value === "number") return type === "number" || (type === "integer" && Number.isInteger(value));
  return typeof value === type;
}
