import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";
import { isObject } from "../../../mci/src/is-object.ts";

/** A tool as MCP lists it, under the name it is served by. */
export function toMcpTool(tool: Tool, name = tool.name): McpTool {
  const { description, annotations, inputSchema = {}, outputSchema } = tool;
  // Audience is about results; MCP's annotations of a tool do not know it.
  const { audience: _, title, ...hints } = annotations ?? {};
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: objectSchema(withoutBooleans(inputSchema) as Schema),
    ...(outputSchema !== undefined && {
      outputSchema: withoutBooleans(outputSchema) as McpTool["outputSchema"],
    }),
    ...(annotations !== undefined && { annotations: { ...(title !== undefined && { title }), ...hints } }),
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** Arguments are always an object, and MCP requires the schema to say so. */
function objectSchema(schema: Schema): McpTool["inputSchema"] {
  return (schema.type === "object" ? schema : { ...schema, type: "object" }) as McpTool["inputSchema"];
}

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const SCHEMA = new Set([
  "items",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "additionalItems",
]);
const SCHEMA_LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const SCHEMA_MAP = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Deeper schemas are passed on as they are; clients do not read them either. */
const MAX_DEPTH = 100;

/**
 * The same schema with `true` and `false` written as objects: many clients reject a whole list because of one boolean
 * subschema. Returns the schema itself where nothing changes. `additionalProperties` and the like stay, since every
 * client knows booleans there.
 */
function withoutBooleans(schema: unknown, depth = 0): unknown {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema) || depth > MAX_DEPTH) return schema;
  const entries = Object.entries(schema);
  const converted = entries.map(([key, value]): [string, unknown] => [key, convert(key, value, depth)]);
  return converted.every(([, value], index) => value === entries[index]![1])
    ? schema
    : Object.fromEntries(converted);
}

function convert(key: string, value: unknown, depth: number): unknown {
  if (SCHEMA_MAP.has(key) && isObject(value)) {
    const entries = Object.entries(value);
    const converted = entries.map(([name, one]): [string, unknown] => [
      name,
      withoutBooleans(one, depth + 1),
    ]);
    return converted.every(([, one], index) => one === entries[index]![1])
      ? value
      : Object.fromEntries(converted);
  }
  if (SCHEMA_LIST.has(key) && Array.isArray(value)) {
    const converted = value.map((one) => withoutBooleans(one, depth + 1));
    return converted.every((one, index) => one === value[index]) ? value : converted;
  }
  return SCHEMA.has(key) ? withoutBooleans(value, depth + 1) : value;
}
