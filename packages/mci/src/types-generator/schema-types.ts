import { isSchema, type JsonSchema } from "../definitions/json-schema.ts";
import { referenced } from "../definitions/reference.ts";
import { docComment } from "./doc-comment.ts";
import { literal, propertyName, type TypeNames } from "./type-names.ts";

/** Deeper parts are `unknown`; a hostile schema must not cost the stack. */
const MAX_DEPTH = 50;

export interface RootSchema {
  readonly schema: unknown;
  /** Of inputs, properties with a default may be left out; in outputs they are there. */
  readonly isInput: boolean;
}

/** The types of one schema: its own, and one for each definition that it refers to. */
export class SchemaTypes {
  readonly #names: TypeNames;
  readonly #root: RootSchema;
  readonly #declarations: string[] = [];
  readonly #references = new Map<string, string>();
  #prefix = "";

  constructor(names: TypeNames, root: RootSchema) {
    this.#names = names;
    this.#root = root;
  }

  declare(text: string): { readonly type: string; readonly declarations: readonly string[] } {
    this.#prefix = text;
    const type = this.#names.unique(text);
    this.#references.set("#", type);
    this.#declare(type, this.#root.schema);
    return { type, declarations: this.#declarations };
  }

  #declare(name: string, schema: unknown): void {
    const at = this.#declarations.push("") - 1;
    const comment = isSchema(schema) ? docComment(schema["description"], "") : "";
    const type = this.#type(schema, 0, "");
    // A schema that only refers to itself says nothing.
    this.#declarations[at] = `${comment}export type ${name} = ${type === name ? "unknown" : type};\n`;
  }

  #type(schema: unknown, depth: number, indent: string): string {
    if (schema === false) return "never";
    if (!isSchema(schema) || depth > MAX_DEPTH) return "unknown";
    const parts = [...this.#parts(schema, depth, indent)];
    const type =
      parts.length === 0 ? "unknown" : parts.length === 1 ? parts[0]! : parts.map(inParentheses).join(" & ");
    return schema["nullable"] === true && type !== "unknown" ? `${type} | null` : type;
  }

  /** What a schema says, one keyword after the other; a value must fit all of it. */
  *#parts(schema: JsonSchema, depth: number, indent: string): Generator<string> {
    const { $ref, const: value, enum: values, type, allOf } = schema;
    if (typeof $ref === "string") yield this.#reference($ref);
    if ("const" in schema) yield literalType(value);
    else if (Array.isArray(values)) yield values.length === 0 ? "never" : union(values.map(literalType));
    else if (type !== undefined || isSchema(schema["properties"]))
      yield union([type ?? "object"].flat().map((name) => this.#named(name, schema, depth, indent)));
    for (const choices of [schema["anyOf"], schema["oneOf"]])
      if (Array.isArray(choices) && choices.length > 0) {
        const types = choices.map((choice) => this.#type(choice, depth + 1, indent));
        // Branches that only say what is required have no type of their own.
        if (!types.includes("unknown")) yield union(types);
      }
    for (const part of Array.isArray(allOf) ? allOf : []) {
      const partType = this.#type(part, depth + 1, indent);
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
    const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
    const { additionalProperties } = schema;
    const inner = `${indent}  `;
    const members = Object.entries(properties).map(([name, property]) => {
      const { description, default: preset } = isSchema(property) ? property : {};
      const isGiven = required.includes(name) && !(this.#root.isInput && preset !== undefined);
      const type = this.#type(property, depth + 1, inner);
      return `${docComment(description, inner)}${inner}${propertyName(name)}${isGiven ? "" : "?"}: ${type};\n`;
    });
    const isOpen =
      members.length === 0
        ? additionalProperties !== false
        : isSchema(additionalProperties) ||
          additionalProperties === true ||
          isSchema(schema["patternProperties"]);
    if (isOpen) {
      // Beside named properties of other types an index can only promise the unknown.
      const type = members.length === 0 ? this.#type(additionalProperties, depth + 1, inner) : "unknown";
      members.push(`${inner}[name: string]: ${type};\n`);
    }
    return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${indent}}`;
  }

  #reference(reference: string): string {
    const known = this.#references.get(reference);
    if (known !== undefined) return known;
    const target = referenced(this.#root.schema, reference);
    if (target === undefined) return "unknown";
    const name = this.#names.unique(`${this.#prefix} ${reference.split("/").at(-1)}`);
    this.#references.set(reference, name);
    this.#declare(name, target);
    return name;
  }
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes("unknown")
    ? "unknown"
    : distinct.map((type) => (distinct.length > 1 && type.includes(" & ") ? `(${type})` : type)).join(" | ");
}

/** Once too often does no harm. */
function inParentheses(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

function literalType(value: unknown): string {
  if (typeof value !== "object" || value === null) return literal(value) ?? "unknown";
  if (Array.isArray(value)) return `[${value.map(literalType).join(", ")}]`;
  const members = Object.entries(value).map(([name, item]) => `${propertyName(name)}: ${literalType(item)}`);
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}
