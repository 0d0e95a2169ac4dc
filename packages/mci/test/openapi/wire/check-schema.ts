// biome-ignore-all lint/suspicious/noExplicitAny: documents may have any shape
import Ajv from "ajv/dist/2020.js";
import { resolve } from "./contract.ts";

type Json = Record<string, any>;

/** What of a value the document's own schema refuses. */
export function checkSchema(value: unknown, schema: Json, document: Json): string[] {
  const ajv = new Ajv.default({
    strict: false,
    logger: false,
    validateFormats: false,
    validateSchema: false,
    code: { optimize: false },
  });
  const definitions: Json = {};
  const rewritten = rewrite(schema, document, definitions, new Map());
  const validate = ajv.compile({ ...rewritten, $defs: definitions });
  if (validate(value)) return [];
  const [error] = validate.errors ?? [];
  return [`${error?.instancePath} ${error?.message} (got ${JSON.stringify(value)?.slice(0, 120)})`];
}

/** The dialect of OpenAPI in JSON Schema: `nullable`, old exclusive bounds, read-only properties that are not sent. */
function rewrite(schema: any, document: Json, definitions: Json, names: Map<string, string>): any {
  if (typeof schema !== "object" || schema === null) return schema;
  if (typeof schema.$ref === "string") {
    const known = names.get(schema.$ref);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = `d${names.size}`;
    names.set(schema.$ref, name);
    definitions[name] = rewrite(resolve(document, { $ref: schema.$ref }), document, definitions, names);
    return schema.nullable
      ? { anyOf: [{ $ref: `#/$defs/${name}` }, { type: "null" }] }
      : { $ref: `#/$defs/${name}` };
  }
  const next = (value: unknown) => rewrite(value, document, definitions, names);
  const {
    nullable,
    discriminator,
    example,
    examples,
    id,
    $id,
    $schema,
    default: _,
    xml,
    externalDocs,
    ...rest
  } = schema;
  const result: Json = {};
  for (const [key, value] of Object.entries<any>(rest)) {
    if (key.startsWith("x-")) continue;
    if (key === "properties")
      result.properties = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, next(item)]));
    else if (key === "oneOf" || key === "anyOf") result.anyOf = value.map(next);
    else if (key === "allOf") result.allOf = value.map(next);
    else if (key === "patternProperties")
      result[key] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, next(item)]));
    else if (["items", "not", "additionalProperties", "propertyNames", "contains"].includes(key))
      result[key] = next(value);
    else if (key === "required") {
      const isSent = (name: string) => resolve(document, schema.properties?.[name] ?? {}).readOnly !== true;
      if (Array.isArray(value)) result.required = value.filter(isSent);
    } else if (["exclusiveMinimum", "exclusiveMaximum"].includes(key) && typeof value === "boolean") continue;
    else if (key === "type" && value === "file") result.type = "string";
    else result[key] = value;
  }
  if (result.pattern !== undefined && !isPattern(result.pattern)) delete result.pattern;
  if (nullable === true && typeof result.type === "string") result.type = [result.type, "null"];
  if (nullable === true && Array.isArray(result.enum)) result.enum = [...result.enum, null];
  if (Array.isArray(result.enum)) result.enum = [...new Set(result.enum)];
  return result;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
