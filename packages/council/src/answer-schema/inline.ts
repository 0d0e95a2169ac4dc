import { isObject } from "@mci-ts/primitives/is-object";
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Why a schema cannot be used; completes "the schema …". */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

const MAX_CHARS = 64 * 1024;
const MAX_NODES = 2000;
const MAX_DEPTH = 24;

const DEFINITIONS = ["$defs", "definitions"];
/** Keywords without an effect here; left out, so that no provider refuses them. */
const DROPPED = new Set(["$schema", "$id", "id", "$comment", "$anchor", ...DEFINITIONS]);
const DATA = new Set(["enum", "const", "default", "examples", "required"]);

/**
 * The schema with its local references put in place. A schema is a stranger's: its size, its depth and what its references expand to
 * are limited.
 */
export function inlineSchema(schema: unknown): JsonSchema {
  if (!isObject(schema)) throw new SchemaError("must be an object");
  if ((JSON.stringify(schema) ?? "").length > MAX_CHARS)
    throw new SchemaError(`is longer than ${MAX_CHARS} characters`);
  let nodes = 0;
  return expand(schema, [], 0);

  function expand(part: JsonSchema, open: readonly string[], depth: number): JsonSchema {
    if (++nodes > MAX_NODES) throw new SchemaError(`has more than ${MAX_NODES} parts`);
    if (depth > MAX_DEPTH) throw new SchemaError(`is nested deeper than ${MAX_DEPTH} levels`);
    const { $ref, ...beside } = part;
    if ($ref !== undefined) {
      if (open.includes(String($ref)))
        throw new SchemaError(`refers to itself (${$ref}), which is not supported`);
      const target = expand(resolve($ref), [...open, String($ref)], depth + 1);
      return { ...target, ...expand(beside, open, depth + 1) };
    }
    const kept = Object.entries(part).filter(([key]) => !DROPPED.has(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, expandKeyword(key, value, open, depth)]));
  }

  function expandKeyword(key: string, value: unknown, open: readonly string[], depth: number): unknown {
    if (DATA.has(key)) return value;
    const inner = (one: unknown) => (isObject(one) ? expand(one, open, depth + 1) : one);
    if (key === "properties" && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
    return Array.isArray(value) ? value.map(inner) : inner(value);
  }

  function resolve(reference: unknown): JsonSchema {
    const match = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference));
    const name = match?.[2]?.replaceAll("~1", "/").replaceAll("~0", "~");
    const group = match && (schema as JsonSchema)[match[1]!];
    const found =
      isObject(group) && name !== undefined && Object.hasOwn(group, name) ? group[name] : undefined;
    if (!isObject(found))
      throw new SchemaError(`refers to ${String(reference).slice(0, 100)}, which is not one of its $defs`);
    return found;
  }
}
