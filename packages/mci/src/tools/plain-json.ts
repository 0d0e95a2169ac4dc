import { shortest } from "@mci-ts/primitives/exact-json";
import { MCIClientError } from "../errors.ts";

/** No tool needs more, and later recursive steps may overflow the stack. */
const MAX_DEPTH = 500;

type Fields = Record<string, unknown>;

/**
 * A copy in the form that JSON would give it (dates are strings, undefined is left out), because defaults are written
 * into it. Of the outermost fields only those that pass `keeps`.
 */
export function toPlainJson(input: Fields, tool: string, keeps?: (name: string) => boolean): Fields {
  try {
    if (keeps === undefined || Object.keys(input).every(keeps)) return fields(input, 1, tool);
    const kept = Object.keys(input).filter(keeps);
    return fields(Object.fromEntries(kept.map((name) => [name, input[name]])), 1, tool);
  } catch (cause) {
    if (cause instanceof MCIClientError) throw cause;
    // A getter, a toJSON or a proxy of the caller's threw.
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The properties of tool '${tool}' cannot be read: ${reason}`;
    throw new MCIClientError("invalid_input", message, { cause });
  }
}

/** Spread first, then fix fields: the fastest way to copy, and copies are made on every call. */
function fields(input: object, depth: number, tool: string): Fields {
  const copied: Fields = { ...input };
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

/** undefined for values that JSON leaves out. */
function copy(value: unknown, depth: number, tool: string): unknown {
  if (isAsItIs(value)) return value;
  if (typeof value === "bigint") return shortest(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > MAX_DEPTH) {
    const message = `The properties of tool '${tool}' are nested more than ${MAX_DEPTH} levels deep.`;
    throw new MCIClientError("invalid_input", message);
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), depth + 1, tool);
  // An array item cannot be left out.
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, tool) ?? null);
  return fields(value, depth, tool);
}
