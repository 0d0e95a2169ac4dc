import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { ErrorObject } from "ajv";

/** One message that names every failing field, written so that a model can correct its call. */
export function describeInputErrors(
  tool: string,
  errors: readonly ErrorObject[],
  input: Record<string, unknown>,
  schema: Record<string, unknown>,
): string {
  const required = Array.isArray(schema.required) ? schema.required.join(", ") : "";
  const lines = new Set<string>();
  const names = suggestedNames(input, schema);
  let described = 0;
  for (const error of errors) {
    if (lines.size > MAX_LINES) break;
    lines.add(`- ${describe(error, described < MAX_SUGGESTIONS ? names : NO_NAMES)}`);
    described += 1;
  }
  const missing = errors.some((error) => error.keyword === "required" && error.instancePath === "");
  const head =
    missing && required !== ""
      ? `Invalid input for tool '${tool}' (it requires ${required}):`
      : `Invalid input for tool '${tool}':`;
  const more = lines.size > MAX_LINES ? [`- and ${errors.length - described + 1} more`] : [];
  return [head, ...[...lines].slice(0, MAX_LINES), ...more].join("\n");
}

/** The errors that say nothing about hidden properties; what they say about the whole input is said about `given`. */
export function shownErrors(
  errors: readonly ErrorObject[],
  hidden: ReadonlySet<string>,
  input: Record<string, unknown>,
): ErrorObject[] {
  return errors.flatMap((error): ErrorObject[] => {
    if (error.instancePath !== "") return hidden.has(topName(error.instancePath)) ? [] : [error];
    const { missingProperty, additionalProperty, unevaluatedProperty, property } = error.params;
    const about = [missingProperty, additionalProperty, unevaluatedProperty, error.propertyName];
    if (about.some((name) => typeof name === "string" && hidden.has(name))) return [];
    // "… when property x is present": x may be hidden, what it asks for is not.
    const isAsked = typeof property === "string" && hidden.has(property);
    return [{ ...error, ...(isAsked ? { keyword: "required" } : {}), data: input }];
  });
}

function topName(pointer: string): string {
  return pointer.split("/")[1]!.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A long list of the same error is cut. */
const MAX_LINES = 100;
/** Names are compared for the first errors only: a caller may have sent very many. */
const MAX_SUGGESTIONS = 5;
const MAX_COMPARED = 1000;

/** Names that may be meant: by a caller who left one out, and by one who gave one that does not exist. */
interface SuggestedNames {
  readonly undeclared: readonly string[];
  readonly declared: readonly string[];
}

const NO_NAMES: SuggestedNames = { undeclared: [], declared: [] };

function suggestedNames(input: Record<string, unknown>, schema: Record<string, unknown>): SuggestedNames {
  const declared = Object.keys((schema.properties ?? {}) as object);
  const isDeclared = new Set(declared);
  const undeclared = Object.keys(input).filter((name) => !isDeclared.has(name));
  return { undeclared: undeclared.slice(0, MAX_COMPARED), declared: declared.slice(0, MAX_COMPARED) };
}

function describe(error: ErrorObject, { undeclared, declared }: SuggestedNames): string {
  const field = fieldName(error.instancePath);
  const { params } = error;
  const at = (name: string) => (field === "" ? name : `${field}.${name}`);
  switch (error.keyword) {
    case "required": {
      const name = String(params.missingProperty);
      const similar = closestMatch(name, undeclared);
      const hint = similar === undefined ? "" : ` (got "${similar}": did you mean it?)`;
      return `${at(name)}: is required and missing${hint}`;
    }
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const similar = closestMatch(name, declared);
      return `${at(name)}: is not a property of this tool${similar === undefined ? "" : ` (did you mean "${similar}"?)`}`;
    }
    case "type":
      return `${field || "input"}: must be ${[params.type].flat().join(" or ")}, got ${kindOf(error.data)}`;
    case "enum":
      return `${field || "input"}: must be one of ${listed(params.allowedValues)}, got ${show(error.data)}`;
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

/** The values of an enum; of a long one the first. */
function listed(values: readonly unknown[]): string {
  const more = values.length > MAX_VALUES ? [`and ${values.length - MAX_VALUES} more`] : [];
  return [...values.slice(0, MAX_VALUES).map(show), ...more].join(", ");
}

const MAX_VALUES = 50;

function show(value: unknown): string {
  const text = typeof value === "number" ? String(value) : preview(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

const MAX_SHOWN = 80;

/** The beginning of a value as JSON; a large one is never printed as a whole. */
function preview(value: unknown): string {
  let left = MAX_SHOWN;
  const shorten = (_: string, item: unknown): unknown => {
    if (left <= 0) return undefined;
    left -= typeof item === "string" ? item.length + 1 : 2;
    if (typeof item === "string") return item.slice(0, MAX_SHOWN);
    if (Array.isArray(item)) return item.slice(0, MAX_SHOWN);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).slice(0, MAX_SHOWN));
  };
  try {
    return JSON.stringify(value, shorten) ?? String(value);
  } catch {
    return String(value); // It has no JSON form.
  }
}
