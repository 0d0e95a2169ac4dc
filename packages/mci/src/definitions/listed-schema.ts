import { objectRoot } from "../schema/json-schema/object-root.ts";
import { objectSchemas } from "../schema/json-schema/object-schemas.ts";
import type { ReportLoss } from "./json-schema.ts";
import { portableSchema } from "./portable-schema.ts";
import { type ObjectSchema, rootObject } from "./root-object.ts";

const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/**
 * An input schema as MCP lists it: an object with properties that every known client and the provider behind it accept.
 * The names of properties stay. A schema that declares draft 2020-12 with `$schema` keeps its keywords, as the protocol
 * requires it, and only its root becomes an object.
 */
export function listedSchema(schema: Readonly<Record<string, unknown>>, report: ReportLoss): ObjectSchema {
  const { $schema } = schema;
  if (typeof $schema === "string" && DRAFT_2020.test($schema))
    return objectRoot(objectSchemas(schema)) as ObjectSchema;
  return rootObject(portableSchema(schema, report), report);
}
