import type { ErrorObject } from "ajv";
import { closestMatch } from "../closest-match.ts";

/** One message that names every failing field, written so that a model can correct its call. */
export function describeInputErrors(
  tool: string,
  errors: readonly ErrorObject[],
  given: Record<string, unknown>,
  schema: Record<string, unknown>,
): string {
  const required = Array.isArray(schema.required) ? schema.required.join(", ") : "";
  const lines = [...new Set(errors.map((error) => `- ${describe(error, given, schema)}`))];
  const missing = errors.some((error) => error.keyword === "required" && error.instancePath === "");
  const head =
    missing && required !== ""
      ? `Invalid input for tool '${tool}' (it requires ${required}):`
      : `Invalid input for tool '${tool}':`;
  const more = lines.length > MAX_LINES ? [`- and ${lines.length - MAX_LINES} more`] : [];
  return [head, ...lines.slice(0, MAX_LINES), ...more].join("\n");
}

/** A long list of the same error is cut. */
const MAX_LINES = 100;

function describe(
  error: ErrorObject,
  given: Record<string, unknown>,
  schema: Record<string, unknown>,
): string {
  const field = fieldName(error.instancePath);
  const { params } = error;
  const at = (name: string) => (field === "" ? name : `${field}.${name}`);
  switch (error.keyword) {
    case "required": {
      const name = String(params.missingProperty);
      const declared = Object.keys((schema.properties ?? {}) as object);
      const similar = closestMatch(
        name,
        Object.keys(given).filter((key) => !declared.includes(key)),
      );
      const hint = similar === undefined ? "" : ` (got "${similar}": did you mean it?)`;
      return `${at(name)}: is required and missing${hint}`;
    }
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const similar = closestMatch(name, Object.keys((schema.properties ?? {}) as object));
      return `${at(name)}: is not a property of this tool${similar === undefined ? "" : ` (did you mean "${similar}"?)`}`;
    }
    case "type":
      return `${field || "input"}: must be ${[params.type].flat().join(" or ")}, got ${kindOf(error.data)}`;
    case "enum":
      return `${field || "input"}: must be one of ${params.allowedValues.map(show).join(", ")}, got ${show(error.data)}`;
    case "const":
      return `${field || "input"}: must be ${show(params.allowedValue)}, got ${show(error.data)}`;
    case "format":
      return `${field || "input"}: must be a valid ${params.format}, got ${show(error.data)}`;
    default:
      return `${field || "input"}: ${error.message ?? error.keyword}, got ${show(error.data)}`;
  }
}

/** `/a/0/b` as `a[0].b`. */
function fieldName(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
      "",
    );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `${typeof value} ${show(value)}`;
}

function show(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (json(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** undefined for values without a JSON form. */
function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
