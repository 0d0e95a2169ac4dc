import { isObject } from "@mci-ts/primitives/is-object";
import * as z from "zod/mini";
import { document } from "../../schema/document.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { didYouMean } from "./messages.ts";
import { unionBranch } from "./union-branch.ts";

/**
 * Unknown keys, each with the most similar known key. Free-form objects (inputSchema, params, body content, headers,
 * env) have no unknown keys.
 */
export function unknownKeys(data: unknown, severity: Diagnostic["severity"]): Diagnostic[] {
  const search = new Search();
  search.visit(document, data);
  return search.unknown.map(
    ({ place, key, known, belongs }): Diagnostic => ({
      place: [...place, key],
      atKey: true,
      severity,
      message: `Unknown key '${key}'`,
      hint: belongs ?? didYouMean(key, known) ?? "it is ignored",
    }),
  );
}

/** Further unknown keys are not listed: a file with more has another problem. */
const MAX_UNKNOWN_KEYS = 1000;

/** `belongs`: where a key of this name would be known, one level further in or out. */
type Unknown = { place: JsonPath; key: string; known: string[]; belongs: string | undefined };

/** A search through every value of a file, at every load: one place that changes, and no visit of values without keys. */
class Search {
  readonly unknown: Unknown[] = [];
  readonly #place: (string | number)[] = [];
  /** The objects around the value that is visited, each with the length of its place. */
  readonly #outer: { readonly depth: number; readonly shape: z.core.$ZodShape }[] = [];
  readonly #containers = new Map<z.core.SomeType, z.core.$ZodTypes | "none">();

  visit(schema: z.core.SomeType, value: unknown): void {
    if (this.unknown.length >= MAX_UNKNOWN_KEYS) return;
    const container = this.#containerOf(schema);
    if (container === "none") return;
    const { def } = container._zod;
    switch (def.type) {
      case "array":
        if (Array.isArray(value))
          for (let index = 0; index < value.length; index++) this.#visitIn(index, def.element, value[index]);
        break;
      case "record":
        if (isObject(value))
          for (const key of Object.keys(value)) this.#visitIn(key, def.valueType, value[key]);
        break;
      case "union": {
        const branch = branchOf(container as z.core.$ZodUnion, value, this.#place);
        if (branch !== undefined) this.visit(branch, value);
        break;
      }
      case "object":
        if (isObject(value)) this.#visitFields(def.shape, value);
        break;
      default:
    }
  }

  #visitFields(shape: z.core.$ZodShape, value: Record<string, unknown>): void {
    const outer = this.#outer.at(-1);
    this.#outer.push({ depth: this.#place.length, shape });
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(shape, key)) this.#visitIn(key, shape[key]!, value[key]);
      else if (this.unknown.length < MAX_UNKNOWN_KEYS)
        this.unknown.push({
          ...{ place: [...this.#place], key, known: Object.keys(shape) },
          belongs: this.#belongsIn(key, shape, value) ?? this.#belongsOutside(key, outer),
        });
    }
    this.#outer.pop();
  }

  #belongsIn(key: string, shape: z.core.$ZodShape, value: Record<string, unknown>): string | undefined {
    const inner = Object.keys(shape).find((name) =>
      Object.hasOwn(this.#shapeOf(shape[name]!, value[name], name) ?? {}, key),
    );
    return inner === undefined ? undefined : `it belongs in '${inner}'`;
  }

  /** Only where the object is a field of the outer one, not an item of a list in it. */
  #belongsOutside(
    key: string,
    outer: { depth: number; shape: z.core.$ZodShape } | undefined,
  ): string | undefined {
    if (outer === undefined || outer.depth !== this.#place.length - 1) return undefined;
    return Object.hasOwn(outer.shape, key)
      ? `it belongs beside '${this.#place.at(-1)}', not in it`
      : undefined;
  }

  #shapeOf(schema: z.core.SomeType, value: unknown, name: string): z.core.$ZodShape | undefined {
    if (!isObject(value)) return undefined;
    const container = this.#containerOf(schema);
    if (container === "none") return undefined;
    const { def } = container._zod;
    if (def.type === "object") return def.shape;
    if (def.type !== "union") return undefined;
    const branch = branchOf(container as z.core.$ZodUnion, value, [...this.#place, name]);
    return branch === undefined ? undefined : this.#shapeOf(branch, value, name);
  }

  #visitIn(step: string | number, schema: z.core.SomeType, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    this.#place.push(step);
    this.visit(schema, value);
    this.#place.pop();
  }

  #containerOf(schema: z.core.SomeType): z.core.$ZodTypes | "none" {
    const cached = this.#containers.get(schema);
    if (cached !== undefined) return cached;
    const resolved = containerOf(schema);
    this.#containers.set(schema, resolved);
    return resolved;
  }
}

/** The schema inside optional and lazy ones; "none" for a scalar or a free-form value. */
function containerOf(schema: z.core.SomeType): z.core.$ZodTypes | "none" {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      return containerOf(def.innerType);
    case "lazy":
      return containerOf((schema as z.core.$ZodLazy)._zod.innerType);
    case "pipe":
      return containerOf(def.in);
    case "array":
    case "record":
    case "union":
    case "object":
      return schema as z.core.$ZodTypes;
    default:
      return "none";
  }
}

function branchOf(union: z.core.$ZodUnion, value: unknown, place: JsonPath): z.core.SomeType | undefined {
  const { def } = union._zod;
  if (!("discriminator" in def)) return def.options[unionBranch(place, value) ?? -1];
  if (!isObject(value)) return undefined;
  const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef;
  return z.getDiscriminatedOption(union as z.core.$ZodDiscriminatedUnion, value[discriminator] as never);
}
