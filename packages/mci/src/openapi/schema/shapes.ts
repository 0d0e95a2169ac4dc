import { isObject } from "@mci-ts/primitives/is-object";
import type { Definitions } from "./definitions.ts";
import type { Schema } from "./schema.ts";

export interface Shapes {
  readonly maybeList: boolean;
  readonly maybeObject: boolean;
  /** Bytes of a file (`format: binary`), or a list of such. */
  readonly isBinary: boolean;
}

/** What kinds of value a converted schema accepts. One that says nothing counts as a single string. */
export function shapesOf(schema: unknown, definitions: Definitions, depth = 0): Shapes {
  if (!isObject(schema) || depth > 20) return TEXT;
  if (typeof schema.$ref === "string") {
    return shapesOf(definitions.get(schema.$ref.slice("#/$defs/".length)), definitions, depth + 1);
  }
  const types = [schema.type].flat();
  const inner = [schema.anyOf, schema.allOf]
    .filter(Array.isArray)
    .flat()
    .map((branch) => shapesOf(branch, definitions, depth + 1));
  const items = types.includes("array") ? shapesOf(schema.items, definitions, depth + 1) : TEXT;
  return {
    maybeList: types.includes("array") || inner.some(({ maybeList }) => maybeList),
    maybeObject: types.includes("object") || inner.some(({ maybeObject }) => maybeObject),
    isBinary: isBinary(schema as Schema) || items.isBinary || inner.some(({ isBinary }) => isBinary),
  };
}

const TEXT: Shapes = { maybeList: false, maybeObject: false, isBinary: false };

/** OpenAPI 3.0 says `format: binary`; 3.1 leaves the type out and names a media type, without an encoding. */
function isBinary(schema: Schema): boolean {
  if (schema.format === "binary") return true;
  const media = schema.contentMediaType;
  return typeof media === "string" && schema.contentEncoding === undefined && !/json|text\//i.test(media);
}
