import { isObject } from "@mci-ts/primitives/is-object";
import type { Schema } from "./schema.ts";

/** The `$defs` of all tools. A tool gets those it refers to, directly or through others. */
export class Definitions {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #schemas = new Map<string, Schema>();
  readonly #uses = new Map<string, ReadonlySet<string>>();

  nameOf(key: string): string | undefined {
    return this.#names.get(key);
  }

  /** A name for a place of the document, after its last step. */
  reserve(key: string, pointer: string): string {
    const last = pointer.slice(pointer.lastIndexOf("/") + 1);
    const base = last.replace(/~[01]|[^A-Za-z0-9_]+/g, "_").slice(0, 60) || "schema";
    let name = base;
    for (let number = 2; this.#taken.has(name) || name === "__proto__"; number++) name = `${base}_${number}`;
    this.#taken.add(name);
    this.#names.set(key, name);
    return name;
  }

  /** undefined while it is being converted: then it contains itself. */
  get(name: string): Schema | undefined {
    return this.#schemas.get(name);
  }

  set(name: string, schema: Schema): void {
    this.#schemas.set(name, schema);
  }

  /** The `$defs` that some schemas need, in the order in which they are met. */
  usedBy(schemas: readonly unknown[]): Record<string, Schema> | undefined {
    const needed = new Map<string, Schema>();
    const pending = schemas.flatMap((schema) => [...referencesIn(schema)]);
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const schema = this.#schemas.get(name);
      if (schema === undefined || needed.has(name)) continue;
      needed.set(name, schema);
      pending.push(...this.#usesOf(name, schema));
    }
    return needed.size === 0 ? undefined : Object.fromEntries(needed);
  }

  #usesOf(name: string, schema: Schema): ReadonlySet<string> {
    const count = this.#uses.get(name);
    if (count !== undefined) return count;
    const uses = referencesIn(schema);
    this.#uses.set(name, uses);
    return uses;
  }
}

const PREFIX = "#/$defs/";

/** Names under `$defs` that a converted schema refers to. */
export function referencesIn(schema: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    if (typeof value.$ref === "string" && value.$ref.startsWith(PREFIX))
      found.add(value.$ref.slice(PREFIX.length));
    for (const key of SCHEMAS) visit(value[key]);
    // Here the keys are names of properties, whatever they look like.
    for (const key of MAPS)
      if (isObject(value[key])) for (const item of Object.values(value[key])) visit(item);
  };
  visit(schema);
  return found;
}

/** Keywords of converted schemas that hold schemas, alone or in lists. */
const SCHEMAS = ["items", "additionalProperties", "propertyNames", "not", "anyOf", "allOf", "prefixItems"];
const MAPS = ["properties", "patternProperties"];
