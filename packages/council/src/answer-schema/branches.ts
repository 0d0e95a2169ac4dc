import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonSchema } from "./inline.ts";
import type { Work } from "./work.ts";

const cache = new WeakMap<JsonSchema, readonly JsonSchema[]>();

/** A schema with the alternatives inside it, at any depth; which of them holds makes no difference to what is voted on. */
export function withBranches(schema: JsonSchema): readonly JsonSchema[] {
  const found = cache.get(schema);
  if (found) return found;
  const branches = [schema["anyOf"], schema["oneOf"], schema["allOf"]].flatMap((all) =>
    Array.isArray(all) ? all.filter(isObject) : [],
  );
  const all = [schema, ...branches.flatMap(withBranches)];
  cache.set(schema, all);
  return all;
}

/** Names times alternatives beyond which the names are sorted out first: both may be a stranger's, and would multiply. */
const MAX_LOOKUPS = 10_000;

/** Lookups in the time of one step of a check. */
const LOOKUPS_PER_STEP = 4;

/** Finds what applies to a property. `applying`: all schemas of the object. `work` counts how often is looked. */
export function propertyLookup(
  applying: readonly JsonSchema[],
  names: readonly string[],
  work?: Work,
): (name: string) => readonly JsonSchema[] {
  const declared = applying.flatMap(({ properties }) => (isObject(properties) ? [properties] : []));
  const lookups = names.length * declared.length;
  work?.spend(names.length + Math.min(lookups, MAX_LOOKUPS) / LOOKUPS_PER_STEP);
  if (lookups <= MAX_LOOKUPS)
    return (name) =>
      declared.flatMap((properties) => {
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
        return isObject(schema) ? [schema] : [];
      });
  const byName = Map.groupBy(
    declared.flatMap((properties) => Object.entries(properties)),
    ([name]) => name,
  );
  return (name) => byName.get(name)?.flatMap(([, schema]) => (isObject(schema) ? [schema] : [])) ?? [];
}
