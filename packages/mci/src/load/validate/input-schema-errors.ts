import type { ErrorObject } from "ajv";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { didYouMean, type Message, wrongType } from "./messages.ts";
import { kindOf, valueAt } from "./values.ts";

/** Converts meta-schema errors to diagnostics, one for each invalid value. */
export function explainSchemaErrors(
  errors: readonly ErrorObject[],
  schema: unknown,
  place: JsonPath,
): Diagnostic[] {
  const telling = new Map<string, ErrorObject>();
  for (const error of errors) {
    const previous = telling.get(error.instancePath);
    // Several errors may be about one value; "enum" is the most specific.
    const saysMore = previous === undefined || (error.keyword === "enum" && previous.keyword !== "enum");
    if (saysMore) telling.set(error.instancePath, error);
  }
  const paths = [...telling.keys()];
  return [...telling.values()]
    .filter(({ instancePath }) => !paths.some((path) => path.startsWith(`${instancePath}/`)))
    .map((error): Diagnostic => {
      const inside = insideOf(schema, error.instancePath);
      return {
        place: [...place, ...inside],
        severity: "error",
        ...explain(error, valueAt(schema, inside), inside),
      };
    });
}

/** A JSON pointer as a place: indices of lists become numbers. */
function insideOf(schema: unknown, pointer: string): JsonPath {
  const place: (string | number)[] = [];
  for (const escaped of pointer.split("/").slice(1)) {
    const step = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    place.push(Array.isArray(valueAt(schema, place)) ? Number(step) : step);
  }
  return place;
}

function explain({ keyword, params, message }: ErrorObject, value: unknown, inside: JsonPath): Message {
  switch (keyword) {
    case "enum": {
      const allowed = (params.allowedValues as unknown[]).map(String);
      const found = typeof value === "string" ? `'${value}'` : kindOf(value);
      return {
        message: `Must be one of ${allowed.join(", ")}, found ${found}`,
        hint: typeof value === "string" ? didYouMean(value, allowed) : undefined,
      };
    }
    case "type":
      return Array.isArray(params.type)
        ? { message: `Must be a schema (an object, true or false), found ${kindOf(value)}` }
        : wrongType(params.type as string, value, inside);
    default:
      return { message: `Not valid JSON Schema: ${message ?? keyword}` };
  }
}
