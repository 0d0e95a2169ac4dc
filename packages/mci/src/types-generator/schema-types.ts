import { isSchema, type JsonSchema } from "../definitions/json-schema.ts";
import { referenced } from "../schema/json-schema/reference.ts";
import { docComment } from "./doc-comment.ts";
import { literal, propertyName, type TypeNames } from "./type-names.ts";

/** Deeper parts are `unknown`; a hostile schema must not cost the stack. */
const MAX_DEPTH = 50;
/** Parts of one schema that get a type, and definitions that get a name. Both are far above what real tools have. */
const MAX_SCHEMAS = 20_000;
const MAX_DEFINITIONS = 2000;
/** Instead of a type that would be too large; it says so in the generated file. */
const TOO_LARGE = "unknown /* too large or nested too deeply for a type */";

export interface RootSchema {
  readonly schema: unknown;
  /** In inputs, properties with a default may be left out; in outputs they are there. */
  readonly isInput: boolean;
}

/** The types of one schema: its own, and one for each definition that it refers to. */
export class SchemaTypes {
  readonly #names: TypeNames;
  readonly #root: RootSchema;
  readonly #declarations: Declaration[] = [];
  readonly #references = new Map<string, string>();
  /** Named, not declared yet. A list instead of recursion: definitions may lead to each other in a chain of any length. */
  readonly #pending: { readonly name: string; readonly schema: unknown }[] = [];
  /** Types that the type being declared consists of, other than as a part of an object or a list. */
  #aliases = new Set<string>();
  #schemas = 0;
  #prefix = "";

  constructor(names: TypeNames, root: RootSchema) {
    this.#names = names;
    this.#root = root;
  }

  declare(text: string): { readonly type: string; readonly declarations: readonly string[] } {
    this.#prefix = text;
    const type = this.#names.unique(text);
    this.#references.set("#", type);
    this.#pending.push({ name: type, schema: this.#root.schema });
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift())
      this.#declarations.push(this.#declaration(next.name, next.schema));
    const circular = circularNames(this.#declarations);
    const declarations = this.#declarations.map(
      ({ name, comment, type }) =>
        `${comment}export type ${name} = ${circular.has(name) ? "unknown" : type};\n`,
    );
    return { type, declarations };
  }

  #declaration(name: string, schema: unknown): Declaration {
    this.#aliases = new Set();
    const comment = isSchema(schema) ? docComment(schema["description"], "") : "";
    const type = this.#type(schema, 0, "", true);
    return { name, comment, type, aliases: this.#aliases };
  }

  /** `isAlias`: what the schema refers to is the declared type itself, or an alternative of it. */
  #type(schema: unknown, depth: number, indent: string, isAlias = false): string {
    if (schema === false) return "never";
    if (!isSchema(schema)) return "unknown";
    this.#schemas += 1;
    if (depth > MAX_DEPTH || this.#schemas > MAX_SCHEMAS) return TOO_LARGE;
    const parts = [...this.#parts(schema, depth, indent, isAlias)];
    const type =
      parts.length === 0 ? "unknown" : parts.length === 1 ? parts[0]! : parts.map(inParentheses).join(" & ");
    return schema["nullable"] === true && type !== "unknown" ? `${type} | null` : type;
  }

  /** What a schema says, one keyword after the other; a value must fit all of it. */
  *#parts(schema: JsonSchema, depth: number, indent: string, isAlias: boolean): Generator<string> {
    const { $ref, const: value, enum: values, type, allOf } = schema;
    if (typeof $ref === "string") yield this.#reference($ref, isAlias);
    if ("const" in schema) yield literalType(value);
    else if (Array.isArray(values))
      yield values.length === 0 ? "never" : union(values.map((item) => literalType(item)));
    else if (type !== undefined || isSchema(schema["properties"]))
      yield union([type ?? "object"].flat().map((name) => this.#named(name, schema, depth, indent)));
    for (const choices of [schema["anyOf"], schema["oneOf"]])
      if (Array.isArray(choices) && choices.length > 0) {
        const types = choices.map((choice) => this.#type(choice, depth + 1, indent, isAlias));
        // Branches that only say what is required have no type of their own.
        if (!types.includes("unknown")) yield union(types);
      }
    for (const part of Array.isArray(allOf) ? allOf : []) {
      const partType = this.#type(part, depth + 1, indent, isAlias);
      if (partType !== "unknown") yield partType;
    }
  }

  #named(type: unknown, schema: JsonSchema, depth: number, indent: string): string {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
      case "number":
        return type;
      case "integer":
        return "number";
      case "array":
        return this.#array(schema, depth, indent);
      case "object":
        return this.#object(schema, depth, indent);
      default:
        return "unknown";
    }
  }

  #array(schema: JsonSchema, depth: number, indent: string): string {
    const { items, prefixItems = Array.isArray(items) ? items : undefined } = schema;
    if (!Array.isArray(prefixItems)) return `${inParentheses(this.#type(items, depth + 1, indent))}[]`;
    const rest = Array.isArray(items) ? schema["additionalItems"] : items;
    const first = prefixItems.map((item) => `${inParentheses(this.#type(item, depth + 1, indent))}?`);
    const others = rest === false ? [] : [`...${inParentheses(this.#type(rest, depth + 1, indent))}[]`];
    return `[${[...first, ...others].join(", ")}]`;
  }

  #object(schema: JsonSchema, depth: number, indent: string): string {
    const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
    const required = new Set<unknown>(Array.isArray(schema["required"]) ? schema["required"] : []);
    const { additionalProperties } = schema;
    const inner = `${indent}  `;
    const entries = Object.entries(properties);
    const room = Math.max(0, MAX_SCHEMAS - this.#schemas);
    const members = entries.slice(0, room).map(([name, property]) => {
      const { description, default: preset } = isSchema(property) ? property : {};
      const isGiven = required.has(name) && !(this.#root.isInput && preset !== undefined);
      const type = this.#type(property, depth + 1, inner);
      return `${docComment(description, inner)}${inner}${propertyName(name)}${isGiven ? "" : "?"}: ${type};\n`;
    });
    const isOpen =
      members.length === 0
        ? additionalProperties !== false
        : isSchema(additionalProperties) ||
          additionalProperties === true ||
          isSchema(schema["patternProperties"]);
    if (entries.length > room) {
      members.push(`${inner}// ${entries.length - room} more properties are too many for a type.\n`);
      members.push(`${inner}[name: string]: unknown;\n`);
    } else if (isOpen) {
      // Beside named properties of other types an index can only promise the unknown.
      const type = members.length === 0 ? this.#type(additionalProperties, depth + 1, inner) : "unknown";
      members.push(`${inner}[name: string]: ${type};\n`);
    }
    return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${indent}}`;
  }

  #reference(reference: string, isAlias: boolean): string {
    const name = this.#references.get(reference) ?? this.#name(reference);
    if (isAlias) this.#aliases.add(name);
    return name;
  }

  #name(reference: string): string {
    const target = referenced(this.#root.schema, reference);
    if (target === undefined) return "unknown";
    if (this.#references.size > MAX_DEFINITIONS) return TOO_LARGE;
    const name = this.#names.unique(`${this.#prefix} ${reference.split("/").at(-1)}`);
    this.#references.set(reference, name);
    this.#pending.push({ name, schema: target });
    return name;
  }
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const any = distinct.find((type) => type.startsWith("unknown"));
  return any !== undefined
    ? any
    : distinct.map((type) => (distinct.length > 1 && type.includes(" & ") ? `(${type})` : type)).join(" | ");
}

/** Once too often does no harm. */
function inParentheses(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

function literalType(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null) return literal(value) ?? "unknown";
  if (depth > MAX_DEPTH) return TOO_LARGE;
  if (Array.isArray(value)) return `[${value.map((item) => literalType(item, depth + 1)).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, item]) => `${propertyName(name)}: ${literalType(item, depth + 1)}`,
  );
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

/** A type, and the types that it consists of other than as a part of an object or a list. */
interface Declaration {
  readonly name: string;
  readonly comment: string;
  readonly type: string;
  readonly aliases: ReadonlySet<string>;
}

/** Types that are nothing but each other; TypeScript refuses them, and they say nothing. */
function circularNames(declarations: readonly Declaration[]): ReadonlySet<string> {
  const left = new Map(declarations.map(({ name, aliases }) => [name, new Set(aliases)]));
  // A name that does not lead to one that is left leads out of every circle.
  const users = new Map<string, string[]>();
  for (const { name, aliases } of declarations)
    for (const alias of aliases) users.set(alias, [...(users.get(alias) ?? []), name]);
  const ready = declarations.filter(({ aliases }) => ![...aliases].some((alias) => left.has(alias)));
  const pending = ready.map(({ name }) => name);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    left.delete(name);
    for (const user of users.get(name) ?? []) {
      const aliases = left.get(user);
      aliases?.delete(name);
      if (aliases !== undefined && ![...aliases].some((alias) => left.has(alias))) pending.push(user);
    }
  }
  return new Set(left.keys());
}
