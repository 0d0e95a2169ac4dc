import { roundIntegers } from "@mci-ts/primitives/exact-json";
import type { ErrorObject } from "ajv";
import { MCIClientError, type Problem } from "../errors.ts";
import { COMPOSED } from "../schema/json-schema/composed.ts";
import { exactDefaults } from "../schema/json-schema/exact-default.ts";
import type { Tool } from "../schema/tool.ts";
import { createCoercer } from "./coerce.ts";
import { describeInputErrors, shownErrors } from "./input-errors.ts";
import { toPlainJson } from "./plain-json.ts";
import { createValidator, type PreparedSchema, prepareSchema, ValidationLimitError } from "./validator.ts";

/** The validated input of a call. */
export interface Input {
  readonly props: Record<string, unknown>;
  /** Declared properties that were neither given nor defaulted. */
  readonly absent: ReadonlySet<string>;
  /** Names that the caller gave and the tool does not have: their values were dropped. */
  readonly ignored: readonly string[];
}

export type InputReader = (value: unknown) => Input;

const NONE: ReadonlySet<string> = new Set();
const NO_NAMES: readonly string[] = [];

/** What callers know of an input of which the file sets a part; errors must not tell them more. */
export interface VisibleInput {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Names that the file sets, or that no caller may set. */
  readonly hidden: ReadonlySet<string>;
}

/** Builds a tool's input reader: undeclared properties, coercion, defaults, validation. Built once per tool. */
export async function inputReader(
  tool: Pick<Tool, "name" | "inputSchema">,
  visible?: VisibleInput,
): Promise<InputReader> {
  const schema = tool.inputSchema as Record<string, unknown> | undefined;
  if (schema === undefined || Object.keys(schema).length === 0) {
    return (value) => ({
      props: toPlainJson(asObject(tool.name, value), tool.name),
      absent: NONE,
      ignored: NO_NAMES,
    });
  }
  const prepared = await prepareSchema(schema).catch((cause) => {
    throw unusableSchema(tool.name, cause);
  });
  const validate = await createValidator(prepared).catch((cause) => {
    throw unusableSchema(tool.name, cause);
  });
  const coerce = createCoercer(prepared.schema, prepared.compilePattern);
  const fillDefaults = exactDefaults(schema);
  const declared = declaredNames(prepared);
  const keeps = declared && ((name: string) => isDeclared(name, declared));
  const defaults = Object.entries(declared?.properties ?? {}).filter(
    ([, property]) => typeof property === "object" && property !== null && "default" in property,
  );

  const validated = (props: Record<string, unknown>) => {
    try {
      return validate(props);
    } catch (cause) {
      if (cause instanceof ValidationLimitError) throw cause;
      // It refers to itself endlessly, or the validator has a defect: then the message may name a part of what the file sets.
      throw unusableSchema(tool.name, cause instanceof RangeError ? cause : new Error(VALIDATOR_FAILED));
    }
  };

  const read = (value: unknown): Input => {
    const source = asObject(tool.name, value);
    const props = coerce(toPlainJson(source, tool.name, keeps)) as Record<string, unknown>;
    // A default that does not match its own schema is not the caller's mistake.
    fillDefaults(props);
    const restoreIntegers = roundIntegers(props); // The validator knows numbers only.
    const errors = validated(props)?.filter((error) => !isDefault(error, defaults, source)) ?? [];
    if (errors.length > 0)
      throw visible === undefined
        ? invalidInput(tool.name, errors, source, prepared.schema)
        : invalidCallerInput(tool.name, errors, source, visible);
    restoreIntegers();
    const ignored = keeps === undefined ? NO_NAMES : Object.keys(source).filter((name) => !keeps(name));
    return { props, absent: declared ? missing(declared.names, props) : NONE, ignored };
  };

  return (value) => {
    prepared.resetPatternWork();
    try {
      return read(value);
    } catch (cause) {
      throw cause instanceof ValidationLimitError ? tooMuchWork(tool.name, cause) : cause;
    }
  };
}

function asObject(tool: string, value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  const kind = Array.isArray(value) ? "an array" : `a ${typeof value}`;
  throw new MCIClientError(
    "invalid_input",
    `The properties of tool '${tool}' must be an object, not ${kind}.`,
  );
}

const VALIDATOR_FAILED = "the validator failed on this input; write the schema in a simpler way";

const OPEN = [...COMPOSED, "additionalProperties", "unevaluatedProperties"];

interface Declared {
  readonly names: ReadonlySet<string>;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly patterns: readonly { test(text: string): boolean }[];
}

/**
 * The names a schema declares, or undefined where everything passes: no `properties`, extra properties welcome (or
 * forbidden: then the validator must see them), or a composed schema, whose names cannot be listed.
 */
function declaredNames({ schema, compilePattern }: PreparedSchema): Declared | undefined {
  const properties = (schema.properties ?? {}) as Record<string, unknown>;
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === "string")
    : [];
  const names = new Set([...Object.keys(properties), ...required]);
  if (Object.keys(properties).length === 0) return undefined;
  const patterns = Object.keys((schema.patternProperties ?? {}) as object).flatMap(
    (pattern) => compilePattern(pattern) ?? [],
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

function invalidInput(
  tool: string,
  errors: readonly ErrorObject[],
  value: Record<string, unknown>,
  schema: Record<string, unknown>,
): MCIClientError {
  return new MCIClientError("invalid_input", describeInputErrors(tool, errors, value, schema), {
    problems: problemsOf(errors),
  });
}

function problemsOf(errors: readonly ErrorObject[]): Problem[] {
  return errors.slice(0, MAX_PROBLEMS).map((error) => ({
    message: error.message ?? error.keyword,
    path: error.instancePath,
    severity: "error",
  }));
}

const MAX_PROBLEMS = 1000;

/** Errors of the caller, without what the file sets; where only the file is wrong, no call can be made. */
function invalidCallerInput(
  tool: string,
  all: readonly ErrorObject[],
  source: Record<string, unknown>,
  { schema, hidden }: VisibleInput,
): MCIClientError {
  const value = Object.fromEntries(Object.entries(source).filter(([name]) => !hidden.has(name)));
  const errors = shownErrors(all, hidden, value);
  if (errors.length > 0) return invalidInput(tool, errors, value, schema);
  const message = `Tool '${tool}' cannot be called: what the file sets in the tool's overrides does not fit its inputSchema. Correct the values there.`;
  return new MCIClientError("schema_invalid", message, { problems: problemsOf(all).map(withoutValue) });
}

/** A problem with what the file sets, at the property alone: names inside of it are part of the value. */
function withoutValue({ path = "", ...problem }: Problem): Problem {
  const [, property, ...inside] = path.split("/");
  if (inside.length === 0) return { ...problem, path };
  return { ...problem, message: "has a part that does not fit", path: `/${property}` };
}

function tooMuchWork(tool: string, cause: unknown): MCIClientError {
  const message = `The input of tool '${tool}' would take too long to validate: ${(cause as Error).message}. Give less input.`;
  return new MCIClientError("invalid_input", message, { cause });
}

function unusableSchema(tool: string, cause: unknown): MCIClientError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The inputSchema of tool '${tool}' is not usable JSON Schema: ${reason}`;
  return new MCIClientError("schema_invalid", message, { cause });
}
