import { isObject } from "@mci-ts/primitives/is-object";
import { canonical } from "../canonical/canonical.ts";
import { propertyLookup, withBranches } from "./branches.ts";
import type { JsonSchema } from "./inline.ts";
import type { Work } from "./work.ts";

/**
 * The part of an answer that is voted on, with sorted keys. `schemas`: all that apply to the value. `text` rewrites strings; `exact`
 * ones are those whose spelling the schema sets. `work` counts what is looked at, and may end it.
 */
export function votedPart(
  schemas: readonly JsonSchema[],
  value: unknown,
  text: (value: string, exact: boolean) => string = (value) => value,
  work?: Work,
): unknown {
  const applying = schemas.flatMap(withBranches);
  work?.spend(applying.length);
  if (typeof value === "string") return text(value, applying.some(setsSpelling));
  if (Array.isArray(value)) {
    const items = applying.flatMap(({ items }) => (isObject(items) ? [items] : []));
    return value.map((item) => votedPart(items, item, text, work));
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  const schemasOf = propertyLookup(applying, keys, work);
  return Object.fromEntries(
    keys.flatMap((key) => {
      const inner = schemasOf(key);
      return inner.some((schema) => schema["x-vote"] === false)
        ? []
        : [[key, votedPart(inner, value[key], text, work)]];
    }),
  );
}

/** Equal for answers that are one vote: texts are compared in their canonical form, as plain answers are. */
export function voteKey(schema: JsonSchema, answer: unknown): string {
  return JSON.stringify(
    votedPart([schema], answer, (value, exact) => (exact ? value : canonical(value).key)),
  );
}

export const setsSpelling = (schema: JsonSchema) =>
  ["enum", "const", "format", "pattern"].some((keyword) => Object.hasOwn(schema, keyword));
