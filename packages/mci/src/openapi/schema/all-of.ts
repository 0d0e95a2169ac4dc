import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject } from "../json.ts";
import type { References } from "../read/references.ts";

/** Parts may consist of parts; a document that nests them deeper is not merged. */
const MAX_DEPTH = 30;

/**
 * `allOf` as one schema. Many clients refuse `allOf`, and a body can only become properties if they stand in one
 * place. Works on the document's own schemas: what the merged schema holds is converted afterwards.
 */
export class AllOfMerger {
  readonly #references: References;
  readonly #merged = new Map<string, JsonObject | undefined>();

  constructor(references: References) {
    this.#references = references;
  }

  /** The schema without `allOf`; undefined if its parts cannot be put together. */
  merge(schema: JsonObject, depth = 0): JsonObject | undefined {
    const parts = field(schema, "allOf");
    if (!Array.isArray(parts)) return schema;
    if (depth > MAX_DEPTH) return undefined;
    const { allOf, ...own } = schema;
    let merged: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const part of parts) {
      const resolved = this.#part(part, seen, depth);
      if (resolved === undefined) return undefined;
      const next = mergeTwo(merged, resolved);
      if (next === undefined) return undefined;
      merged = next;
    }
    // What the parts say about themselves is not about the whole, unless the whole says nothing.
    const { nullable, discriminator, readOnly, writeOnly, ...rest } = merged;
    return mergeTwo(own, rest);
  }

  /** A part with its reference followed and its own parts merged. */
  #part(part: unknown, seen: Set<string>, depth: number): JsonObject | undefined {
    if (!isObject(part)) return undefined;
    const reference = field(part, "$ref");
    if (typeof reference !== "string") return this.merge(part, depth + 1);
    const target = this.#references.lookup(reference);
    if (target === undefined) return {};
    if (seen.has(target.pointer)) return {};
    seen.add(target.pointer);
    if (!isObject(target.value)) return undefined;
    return this.#mergedTarget(target.pointer, target.value, depth);
  }

  #mergedTarget(pointer: string, value: JsonObject, depth: number): JsonObject | undefined {
    if (this.#merged.has(pointer)) return this.#merged.get(pointer);
    this.#merged.set(pointer, {}); // While it is looked at: it may lead back to itself.
    const merged = this.merge(value, depth + 1);
    this.#merged.set(pointer, merged);
    return merged;
  }
}

type Merge = (a: unknown, b: unknown) => unknown;

/** Not to be merged: the two say different things and both must hold. */
const CONFLICT = Symbol("conflict");

/** How a keyword of two schemas becomes one; of all others the first is used if they are equal. */
const MERGE: Readonly<Record<string, Merge>> = {
  type: mergeTypes,
  properties: mergeProperties,
  required: (a, b) => (Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : (a ?? b)),
  // Closed parts would exclude each other's properties, which no author means.
  additionalProperties: (a, b) => (a === false && b === false ? false : a === false ? b : a),
  unevaluatedProperties: (a) => a,
  enum: (a, b) => (Array.isArray(a) && Array.isArray(b) ? common(a, b) : (a ?? b)),
  minimum: larger,
  minLength: larger,
  minItems: larger,
  maximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
};

const ANNOTATIONS = new Set([
  "description",
  "title",
  "default",
  "example",
  "examples",
  "xml",
  "externalDocs",
  "deprecated",
]);

/** `first` wins where both only describe. */
function mergeTwo(first: JsonObject, second: JsonObject): Record<string, unknown> | undefined {
  const merged: [string, unknown][] = Object.entries(first);
  for (const [key, value] of Object.entries(second)) {
    const index = merged.findIndex(([name]) => name === key);
    if (index < 0) {
      // A part that is closed alone is open together with the properties of the others.
      const isClosing = key === "additionalProperties" && value === false && Object.keys(first).length > 0;
      if (!isClosing) merged.push([key, value]);
      continue;
    }
    if (ANNOTATIONS.has(key) || key.startsWith("x-")) continue;
    const before = merged[index]![1];
    const together = Object.hasOwn(MERGE, key)
      ? MERGE[key]!(before, value)
      : equal(before, value)
        ? before
        : CONFLICT;
    if (together === CONFLICT) return undefined;
    merged[index] = [key, together];
  }
  return Object.fromEntries(merged);
}

function mergeTypes(a: unknown, b: unknown): unknown {
  const first = [a].flat();
  const second = [b].flat();
  const both = first.filter(
    (type) => second.includes(type) || (type === "integer" && second.includes("number")),
  );
  if (both.length === 0) return first.includes("number") && second.includes("integer") ? "integer" : CONFLICT;
  return both.length === 1 ? both[0] : both;
}

function mergeProperties(a: unknown, b: unknown): unknown {
  if (!isObject(a) || !isObject(b)) return isObject(a) ? a : b;
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = merged.get(name);
    if (before === undefined) merged.set(name, schema);
    else if (!equal(before, schema)) merged.set(name, { allOf: [before, schema] });
  }
  return Object.fromEntries(merged);
}

function common(a: readonly unknown[], b: readonly unknown[]): unknown {
  const both = a.filter((item) => b.some((other) => equal(item, other)));
  return both.length === 0 ? CONFLICT : both;
}

function larger(a: unknown, b: unknown): unknown {
  return Number(a) >= Number(b) ? a : b;
}

function smaller(a: unknown, b: unknown): unknown {
  return Number(a) <= Number(b) ? a : b;
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
