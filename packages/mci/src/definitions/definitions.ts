import type { Annotations, Tool } from "../schema/tool.ts";
import { isSchema } from "./json-schema.ts";
import { acceptedNames, PROPERTY_NAME, TOOL_NAME } from "./names.ts";
import { portableSchema } from "./portable-schema.ts";
import { type ObjectSchema, rootObject } from "./root-object.ts";

/** A tool as models see it. A copy that may be changed. */
export interface ToolDefinition {
  /** A name that every provider accepts; mostly the tool's own. */
  name: string;
  description: string;
  /** Always an object schema, with property names that every provider accepts. */
  inputSchema: ObjectSchema;
  outputSchema?: Record<string, unknown>;
  annotations: { -readonly [Key in keyof Annotations]: Annotations[Key] };
}

/** Something that a definition cannot say as the file says it. The input is still checked against the file's schema. */
export interface DefinitionWarning {
  /** The tool, as the file names it. */
  readonly tool: string;
  readonly message: string;
}

/** The way from the names in a file to the names that models see, and back. */
export class DefinitionMap {
  readonly #modelNames: ReadonlyMap<string, string>;
  readonly #own: ReadonlyMap<string, string>;
  /** By tool: the file's property names with those that models see. */
  readonly #properties = new WeakMap<object, ReadonlyMap<string, string>>();

  /** All tools of the client, so that a filter never changes a name. */
  constructor(names: readonly string[]) {
    this.#modelNames = acceptedNames(names, TOOL_NAME);
    this.#own = inverse(this.#modelNames);
  }

  /** The tool's own name, whichever of its two names is given. */
  ownName(modelName: string): string {
    return this.#modelNames.has(modelName) ? modelName : (this.#own.get(modelName) ?? modelName);
  }

  shownName(own: string): string {
    return this.#modelNames.get(own) ?? own;
  }

  define(tool: Tool, onWarning?: (warning: DefinitionWarning) => void): ToolDefinition {
    const warned = new Set<string>();
    const report = (message: string) => {
      if (warned.size < warned.add(message).size) onWarning?.({ tool: tool.name, message });
    };
    const schema = rootObject(portableSchema(tool.inputSchema ?? {}, report), report);
    const { outputSchema } = tool;
    return {
      name: this.shownName(tool.name),
      description: tool.description || tool.annotations?.title || tool.name,
      inputSchema: renamed(schema, this.#propertiesOf(tool, schema)),
      ...(outputSchema === undefined ? {} : { outputSchema: portableSchema(outputSchema) }),
      annotations: structuredClone(tool.annotations ?? {}) as ToolDefinition["annotations"],
    };
  }

  /** What a model gave, under the file's property names. A property's own name is understood as well. */
  toOwnProperties(tool: Tool, input: Record<string, unknown>): Record<string, unknown> {
    const modelNames = this.propertyNames(tool);
    if (modelNames.size === 0) return input;
    const own = inverse(modelNames);
    const entries = Object.entries(input).map(([name, value]) => {
      const original = own.get(name);
      const isOwn = original === undefined || Object.hasOwn(input, original);
      return [isOwn ? name : original, value] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Only the properties whose names differ: the file's name with the one that models see. */
  propertyNames(tool: Tool): ReadonlyMap<string, string> {
    const cached = this.#properties.get(tool);
    if (cached !== undefined) return cached;
    return this.#propertiesOf(tool, rootObject(portableSchema(tool.inputSchema ?? {})));
  }

  #propertiesOf(tool: Tool, schema: ObjectSchema): ReadonlyMap<string, string> {
    const cached = this.#properties.get(tool);
    if (cached !== undefined) return cached;
    const all = acceptedNames(Object.keys(schema.properties), PROPERTY_NAME);
    const changed = new Map([...all].filter(([own, modelName]) => own !== modelName));
    this.#properties.set(tool, changed);
    return changed;
  }
}

function inverse(names: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...names].map(([own, modelName]) => [modelName, own]));
}

function renamed(schema: ObjectSchema, names: ReadonlyMap<string, string>): ObjectSchema {
  if (names.size === 0) return schema;
  const nameOf = (name: string) => names.get(name) ?? name;
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const title = names.has(name) && isSchema(property) ? { title: name, ...property } : property;
    return [nameOf(name), title] as const;
  });
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(schema.required === undefined ? {} : { required: schema.required.map(nameOf) }),
  };
}
