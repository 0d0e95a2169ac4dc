import { COMPOSED } from "../schema/json-schema/composed.ts";
import type { Tool } from "../schema/tool.ts";

const OPEN = [...COMPOSED, "patternProperties"];

/**
 * The properties a call can have, or undefined where they cannot be listed: no schema, no `properties`, extra
 * properties allowed, or a composed schema.
 */
export function declaredProperties(schema: Tool["inputSchema"]): readonly string[] | undefined {
  if (schema === undefined || OPEN.some((keyword) => keyword in schema)) return undefined;
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || typeof properties !== "object" || properties === null) return undefined;
  const names = Object.keys(properties);
  if (names.length === 0) return additionalProperties === false ? [] : undefined;
  return Array.isArray(required) ? [...names, ...required.filter((name) => typeof name === "string")] : names;
}
