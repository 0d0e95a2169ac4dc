/** Two values of a schema that differ in one field. */
export interface FieldChange {
  /** Names of fields, joined by dots; `*` for the names in a map and the items of a list. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Examples {
  /** Two values for fields where not any two texts will do, by the last names of their path. */
  readonly values: Readonly<Record<string, readonly [unknown, unknown]>>;
  /** The name that stands for all names in a map, by the name of the map. Default "k". */
  readonly keys: Readonly<Record<string, string>>;
  /** What must stand beside a field, or in any value of an object, by the last names of its path. */
  readonly beside: Readonly<Record<string, object>>;
}

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Changes each field that a JSON Schema describes, one at a time, in every alternative that has it. */
export class FieldChanges {
  readonly #root: JsonSchema;
  readonly #examples: Examples;

  constructor(root: JsonSchema, examples: Examples) {
    this.#root = root;
    this.#examples = examples;
  }

  *of(schema: JsonSchema, path = ""): Generator<FieldChange> {
    const example = find(this.#examples.values, path);
    if (example !== undefined) {
      yield { path, before: example[0], after: example[1] };
      return;
    }
    if ("const" in schema || "not" in schema) return;
    if (schema["$ref"] === "#/$defs/flag") yield { path, before: true, after: false };
    else if (typeof schema["$ref"] === "string") yield* this.of(this.#resolve(schema["$ref"]), path);
    else if (Array.isArray(schema["anyOf"] ?? schema["oneOf"]) && schema !== this.#root)
      yield* this.#alternatives(schema, path);
    else if (Array.isArray(schema["enum"])) {
      const [before, after] = schema["enum"];
      if (after !== null && after !== undefined) yield { path, before, after };
    } else if (schema["properties"] !== undefined) yield* this.#object(schema, path);
    else yield* this.#simple(schema, path);
  }

  *#alternatives(schema: JsonSchema, path: string): Generator<FieldChange> {
    const all = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[];
    const alternatives = all.filter(({ type }) => type !== "null");
    for (const alternative of alternatives) yield* this.of(alternative, path);
    // Others are short forms of each other, and mean the same.
    if (!("oneOf" in schema) && !alternatives.some((alternative) => "const" in alternative)) return;
    const [first, ...others] = alternatives.map((alternative) => this.sample(alternative, path));
    for (const other of others) yield { path, before: first, after: other };
  }

  *#object(schema: JsonSchema, path: string): Generator<FieldChange> {
    for (const [name, property] of Object.entries(schema["properties"] as Record<string, JsonSchema>)) {
      const here = path === "" ? name : `${path}.${name}`;
      const base = { ...(this.#required(schema, path) as object), ...find(this.#examples.beside, here) };
      for (const { path: at, before, after } of this.of(property, here))
        yield { path: at, before: { ...base, [name]: before }, after: { ...base, [name]: after } };
    }
  }

  *#simple(schema: JsonSchema, path: string): Generator<FieldChange> {
    const [type] = [schema["type"]].flat();
    const key = find(this.#examples.keys, path) ?? "k";
    const inside = (item: unknown) => (item === undefined ? {} : (item as JsonSchema));
    const isAnyText = schema["pattern"] === undefined || schema["pattern"] === "\\S";
    if (type === "string" && isAnyText) yield { path, before: "a", after: "b" };
    // Where not any text will do, a template will.
    else if (type === "string") yield { path, before: "{{env.A}}", after: "{{env.B}}" };
    else if (type === "integer" || type === "number") yield { path, before: 1, after: 2 };
    else if (type === "boolean") yield { path, before: true, after: false };
    else if (type === "array")
      for (const { path: at, before, after } of this.of(inside(schema["items"]), `${path}.*`))
        yield { path: at, before: [before], after: [after] };
    else if (type === "object")
      for (const { path: at, before, after } of this.of(inside(schema["additionalProperties"]), `${path}.*`))
        yield { path: at, before: { [key]: before }, after: { [key]: after } };
    else if (type === undefined) yield { path, before: nested("a"), after: nested("b") };
  }

  /** A value of a schema: the first of its first change. */
  sample(schema: JsonSchema, path: string): unknown {
    const target = typeof schema["$ref"] === "string" ? this.#resolve(schema["$ref"]) : schema;
    if ("const" in target) return target["const"];
    if (target["properties"] !== undefined) return this.#required(target, path);
    const [alternative] = (target["anyOf"] ?? target["oneOf"] ?? []) as JsonSchema[];
    if (alternative !== undefined && schema["$ref"] !== "#/$defs/flag" && !find(this.#examples.values, path))
      return this.sample(alternative, path);
    return this.of(schema, path).next().value?.before;
  }

  #required(schema: JsonSchema, path: string): unknown {
    const properties = schema["properties"] as Record<string, JsonSchema>;
    const names = (schema["required"] ?? []) as string[];
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    const required = names.map((name) => [name, this.sample(properties[name]!, at(name))] as const);
    return { ...find(this.#examples.beside, path), ...Object.fromEntries(required) };
  }

  #resolve(reference: string): JsonSchema {
    return reference
      .split("/")
      .slice(1)
      .reduce<unknown>((at, step) => (at as JsonSchema)[step], this.#root) as JsonSchema;
  }
}

/** The entry whose name is the end of a path. */
function find<T>(entries: Readonly<Record<string, T>>, path: string): T | undefined {
  return Object.entries(entries).find(([end]) => path === end || path.endsWith(`.${end}`))?.[1];
}

function nested(value: string): unknown {
  return Array.from({ length: 10 }).reduce<unknown>((inner) => ({ k: [inner] }), value);
}
