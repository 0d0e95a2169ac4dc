import { MCIClientError } from "../errors.ts";

/** No tool needs more, and what handles the values next may not hold it. */
const MAX_DEPTH = 500;

type Fields = Record<string, unknown>;

/**
 * A copy, because defaults are written into it and the caller's object is the caller's. What has a form of its own in
 * JSON, such as a date, takes that form. Of the outermost fields only those that `keeps` wants.
 */
export function plain(
  given: Fields,
  tool: string,
  keeps?: (name: string, value: unknown) => boolean,
): Fields {
  if (keeps === undefined || Object.keys(given).every((name) => keeps(name, given[name])))
    return fields(given, 1, tool);
  const kept = Object.entries(given).filter(([name, value]) => keeps(name, value));
  return fields(Object.fromEntries(kept), 1, tool);
}

/** A spread and a look at each field: copies are made at every call, and this is the fastest way to one. */
function fields(given: object, depth: number, tool: string): Fields {
  const copied: Fields = { ...given };
  for (const name of Object.keys(copied)) {
    const value = copied[name];
    if (typeof value === "object" && value !== null) copied[name] = copy(value, depth + 1, tool);
  }
  return copied;
}

function copy(value: unknown, depth: number, tool: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) {
    const message = `The properties of tool '${tool}' are nested more than ${MAX_DEPTH} levels deep.`;
    throw new MCIClientError("invalid_input", message);
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), depth + 1, tool);
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, tool));
  return fields(value, depth, tool);
}
