import type { ErrorObject, ValidateFunction } from "ajv";
import { MCIClientError } from "../errors.ts";
import { COMPOSED } from "../schema/composed.ts";
import type { Tool } from "../schema/tool.ts";
import { createCoercer } from "./coerce.ts";
import { describeInputErrors } from "./input-errors.ts";
import { toPlainJson } from "./plain-json.ts";

/** The validated input of a call. */
export interface Input {
  readonly props: Record<string, unknown>;
  /** Declared properties that were neither given nor defaulted. */
  readonly absent: ReadonlySet<string>;
}

export type InputReader = (given: unknown) => Input;

const NONE: ReadonlySet<string> = new Set();

/** Builds a tool's input reader: undeclared properties, coercion, defaults, validation. Built once per tool. */
export async function inputReader(tool: Pick<Tool, "name" | "inputSchema">): Promise<InputReader> {
  const schema = tool.inputSchema as Record<string, unknown> | undefined;
  if (schema === undefined || Object.keys(schema).length === 0) {
    return (given) => ({ props: toPlainJson(asObject(tool.name, given), tool.name), absent: NONE });
  }
  const validate = await compile(tool.name, schema);
  const isValid = (props: unknown) => {
    try {
      return validate(props);
    } catch (cause) {
      throw unusableSchema(tool.name, cause); // It refers to itself endlessly.
    }
  };
  const coerce = createCoercer(schema);
  const declared = declaredNames(schema);
  const keeps = declared && ((name: string) => isDeclared(name, declared));
  const defaults = Object.entries(declared?.properties ?? {}).filter(
    ([, property]) => typeof property === "object" && property !== null && "default" in property,
  );

  return (given) => {
    const source = asObject(tool.name, given);
    const props = coerce(toPlainJson(source, tool.name, keeps)) as Record<string, unknown>;
    if (!isValid(props)) {
      // A default that does not match its own schema is not the caller's mistake.
      const errors = (validate.errors ?? []).filter((error) => !isDefault(error, defaults, source));
      if (errors.length > 0) {
        throw new MCIClientError("invalid_input", describeInputErrors(tool.name, errors, source, schema), {
          problems: errors.map((error) => ({
            message: error.message ?? error.keyword,
            path: error.instancePath,
            severity: "error",
          })),
        });
      }
    }
    return { props, absent: declared ? missing(declared.names, props) : NONE };
  };
}

function asObject(tool: string, given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (typeof given === "object" && !Array.isArray(given)) return given as Record<string, unknown>;
  const kind = Array.isArray(given) ? "an array" : `a ${typeof given}`;
  throw new MCIClientError(
    "invalid_input",
    `The properties of tool '${tool}' must be an object, not ${kind}.`,
  );
}

const OPEN = [...COMPOSED, "additionalProperties", "unevaluatedProperties"];

interface Declared {
  readonly names: ReadonlySet<string>;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly patterns: readonly RegExp[];
}

/**
 * The names a schema declares, or undefined where everything passes: no `properties`, extra properties welcome (or
 * forbidden: then the validator must see them), or a composed schema, whose names cannot be listed.
 */
function declaredNames(schema: Record<string, unknown>): Declared | undefined {
  const properties = (schema.properties ?? {}) as Record<string, unknown>;
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === "string")
    : [];
  const names = new Set([...Object.keys(properties), ...required]);
  if (Object.keys(properties).length === 0) return undefined;
  const patterns = Object.keys((schema.patternProperties ?? {}) as object).map(
    (pattern) => new RegExp(pattern, "u"),
  );
  const open = OPEN.some((keyword) => keyword in schema);
  return { names, properties, patterns: open ? [/^/] : patterns };
}

function isDeclared(name: string, { names, patterns }: Declared): boolean {
  return names.has(name) || patterns.some((pattern) => pattern.test(name));
}

function missing(names: ReadonlySet<string>, props: Record<string, unknown>): ReadonlySet<string> {
  let absent: Set<string> | undefined;
  for (const name of names) if (!Object.hasOwn(props, name)) absent = (absent ?? new Set()).add(name);
  return absent ?? NONE;
}

function isDefault(
  error: ErrorObject,
  defaults: readonly [string, unknown][],
  source: Record<string, unknown>,
): boolean {
  const name = error.instancePath.split("/")[1]?.replaceAll("~1", "/").replaceAll("~0", "~");
  return name !== undefined && !Object.hasOwn(source, name) && defaults.some(([key]) => key === name);
}

/** Draft 4 to 7 by the rules of 7; everything else, including unknown dialects, by those of 2020-12. */
async function compile(
  tool: string,
  { $schema, ...schema }: Record<string, unknown>,
): Promise<ValidateFunction> {
  const draft7 = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  const [{ default: Ajv }, { default: formats }] = await Promise.all([
    draft7 ? import("ajv") : import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  // An instance per schema: two tools may use the same $id for different things.
  const ajv = new Ajv.default({
    allErrors: true,
    strict: false,
    strictNumbers: true, // NaN and Infinity are no JSON.
    ownProperties: true, // Every object inherits a toString, which is no property that was given.
    useDefaults: true,
    verbose: true,
    logger: false,
    ...(draft7 ? { validateSchema: false } : {}),
  });
  formats.default(ajv);
  ajv.removeKeyword("id"); // Of draft 4; else it would be refused.
  try {
    return ajv.compile(schema);
  } catch (cause) {
    throw unusableSchema(tool, cause);
  }
}

function unusableSchema(tool: string, cause: unknown): MCIClientError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The inputSchema of tool '${tool}' is not usable JSON Schema: ${reason}`;
  return new MCIClientError("schema_invalid", message, { cause });
}
