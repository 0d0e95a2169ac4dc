import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject, listField, objectField } from "../json.ts";
import type { References } from "../read/references.ts";
import { truncateText } from "../tool/describe.ts";
import { AllOfMerger } from "./all-of.ts";
import { typesOf } from "./keywords.ts";
import type { Schema } from "./schema.ts";

/** Levels of an output that are described. */
const MAX_DEPTH = 4;

/**
 * What a successful response looks like, for people and models; undefined unless it is a JSON object. Real responses
 * stray from their documents, and clients refuse a result that does not fit. So this schema names and describes, and
 * demands nothing but an object.
 */
export function outputSchemaOf(operation: JsonObject, references: References): Schema | undefined {
  const schema = successSchema(operation, references);
  const described = describe(schema, references, new AllOfMerger(references), 0, new Set());
  const isObjectSchema = isObject(described.properties) || kindsOf(schema, references).includes("object");
  return schema !== undefined && isObjectSchema ? { type: "object", ...described } : undefined;
}

/** 200, else the first other 2xx, else 2XX, else default. */
export function successResponse(operation: JsonObject, references: References): JsonObject | undefined {
  const responses = objectField(operation, "responses");
  const codes = Object.keys(responses);
  const order = ["200", ...codes.filter((code) => /^2\d\d$/.test(code)), "2XX", "2xx", "default"];
  const code = order.find((name) => Object.hasOwn(responses, name));
  return code === undefined || code === "204" ? undefined : references.resolve(responses[code]);
}

/** The schema of its JSON. */
export function successSchema(operation: JsonObject, references: References): unknown {
  const response = successResponse(operation, references);
  const [, media] =
    Object.entries(objectField(response, "content")).find(([type]) => /[/+]json/i.test(type)) ?? [];
  return field(media, "schema");
}

function kindsOf(schema: unknown, references: References): string[] {
  const resolved = references.resolve(schema);
  return resolved === undefined ? [] : typesOf(resolved);
}

function describe(
  raw: unknown,
  references: References,
  allOf: AllOfMerger,
  depth: number,
  above: ReadonlySet<unknown>,
): Schema {
  const resolved = references.resolve(raw);
  if (resolved === undefined || above.has(resolved)) return {};
  const schema = allOf.merge(resolved) ?? resolved;
  const within = new Set([...above, resolved]);
  const result: Schema = {};
  const kind = typesOf(schema).join(" or ");
  const text = typeof schema.description === "string" ? truncateText(schema.description, 200) : "";
  const values = listField(schema, "enum").slice(0, 20).map(String).join(", ");
  const note = [kind, values === "" ? "" : `one of ${values}`, text]
    .filter((piece) => piece !== "")
    .join("; ");
  if (depth > 0 && note !== "") result.description = note;
  if (depth >= MAX_DEPTH) return result;
  const next = (value: unknown) => describe(value, references, allOf, depth + 1, within);
  if (isObject(schema.properties)) {
    const visible = Object.entries(schema.properties).filter(
      ([, value]) => field(value, "writeOnly") !== true,
    );
    result.properties = Object.fromEntries(visible.map(([name, value]) => [name, next(value)]));
  }
  if (isObject(schema.items)) result.items = next(schema.items);
  return result;
}
