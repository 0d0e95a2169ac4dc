import { MCIClientError } from "../errors.ts";

/** No tool needs more, and what handles the values next may not hold it. */
const MAX_DEPTH = 500;

type Fields = Record<string, unknown>;

/**
 * A copy, because defaults are written into it and the caller's object is the caller's. Everything takes the form that
 * it has in JSON: a date is a text, what is undefined is not there. Of the outermost fields only those that `keeps`
 * wants.
 */
export function toPlainJson(given: Fields, tool: string, keeps?: (name: string) => boolean): Fields {
  try {
    if (keeps === undefined || Object.keys(given).every(keeps)) return fields(given, 1, tool);
    const kept = Object.keys(given).filter(keeps);
    return fields(Object.fromEntries(kept.map((name) => [name, given[name]])), 1, tool);
  } catch (cause) {
    if (cause instanceof MCIClientError) throw cause;
    // A getter, a toJSON or a proxy of the caller's threw.
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The properties of tool '${tool}' cannot be read: ${reason}`;
    throw new MCIClientError("invalid_input", message, { cause });
  }
}

/** A spread and a look at each field: copies are made at every call, and this is the fastest way to one. */
function fields(given: object, depth: number, tool: string): Fields {
  const copied: Fields = { ...given };
  for (const name of Object.keys(copied)) {
    const value = copied[name];
    if (isAsItIs(value)) continue;
    const json = copy(value, depth + 1, tool);
    if (json === undefined) delete copied[name];
    else copied[name] = json;
  }
  return copied;
}

function isAsItIs(value: unknown): boolean {
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || value === null;
}

/** undefined for what JSON leaves out. */
function copy(value: unknown, depth: number, tool: string): unknown {
  if (isAsItIs(value)) return value;
  // All its digits; where the schema asks for a number it becomes one, if a number can hold it.
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > MAX_DEPTH) {
    const message = `The properties of tool '${tool}' are nested more than ${MAX_DEPTH} levels deep.`;
    throw new MCIClientError("invalid_input", message);
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), depth + 1, tool);
  // A place in a list cannot be left out.
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, tool) ?? null);
  return fields(value, depth, tool);
}
