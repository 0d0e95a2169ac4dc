import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonSchema } from "./inline.ts";

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
