import { isObject } from "@mci-ts/primitives/is-object";
import type { LinearPattern } from "@mci-ts/primitives/linear-pattern";
import type { Ajv, ErrorObject, Options, ValidateFunction } from "ajv";
import {
  dialectOf,
  type JsonSchema,
  patternsIn,
  SCHEMA_MAPS,
  type UsableSchema,
  usableSchema,
} from "../schema/json-schema/json-schema.ts";
import { type CompilePattern, patternCompiler } from "../schema/json-schema/pattern.ts";
import { isPlainSchema } from "../schema/json-schema/plain-schema.ts";
import { countValues, largestWeight, schemaWeight } from "./schema-weight.ts";

/** Fills in defaults and validates. The errors, or undefined if there are none. */
export type Validator = (props: Record<string, unknown>) => readonly ErrorObject[] | undefined;

/** The input would take too much work to validate. */
export class ValidationLimitError extends Error {
  override readonly name = "ValidationLimitError";
}

/** Inputs with more values than this get their first error reported only: collecting all takes time and memory. */
const MAX_VALUES_WITH_ALL_ERRORS = 10_000;
/** Schemas that are applied to find all errors. */
const MAX_STEPS_FOR_ALL_ERRORS = 20_000;
/** Schemas that are applied to one input, for each of its values and in any case. Recursive unions may multiply. */
const STEPS_PER_VALUE = 20;
const MIN_STEPS = 100_000;
/** Steps of all patterns on all texts of one input: a fifth of a second in the worst case, and a small part of that usually. */
const MAX_PATTERN_WORK = 10_000_000;

/** A schema that can be used, and how its patterns are matched. */
export interface PreparedSchema extends UsableSchema {
  readonly dialect: "2020-12" | "draft-07";
  /** What they compile share a limit on their work, which lasts until `resetPatternWork`. */
  readonly compilePattern: CompilePattern;
  readonly resetPatternWork: () => void;
}

/** Throws `SchemaLimitError` for a schema that is too large. */
export async function prepareSchema(schema: JsonSchema): Promise<PreparedSchema> {
  const { compilePattern, resetPatternWork } = limitPatternWork(await patternCompiler(patternsIn(schema)));
  const isUsablePattern = (pattern: string) => compilePattern(pattern) !== undefined;
  const dialect = dialectOf(schema);
  const { $schema, ...source } = schema;
  return { ...usableSchema(source, { dialect, isUsablePattern }), dialect, compilePattern, resetPatternWork };
}

/** One text takes linear time; many patterns on many texts add up. */
function limitPatternWork(
  compile: CompilePattern,
): Pick<PreparedSchema, "compilePattern" | "resetPatternWork"> {
  let left = MAX_PATTERN_WORK;
  const limited = (pattern: LinearPattern): LinearPattern => ({
    work: pattern.work,
    test(text) {
      left -= pattern.work(text);
      if (left < 0)
        throw new ValidationLimitError("its texts are too long for the patterns in the inputSchema");
      return pattern.test(text);
    },
  });
  return {
    compilePattern(pattern) {
      const found = compile(pattern);
      return found && limited(found);
    },
    resetPatternWork() {
      left = MAX_PATTERN_WORK;
    },
  };
}

/**
 * A validator whose time and memory are bounded for every schema and input. Throws if Ajv cannot compile the schema.
 * The validator stops at the first error; only then, and for inputs of a usual size, a second one collects all errors.
 */
export async function createValidator(prepared: PreparedSchema): Promise<Validator> {
  const { dialect, compilePattern } = prepared;
  // Where each value gets one schema, the size of the input bounds the work of those with little weight.
  const isCounted = prepared.isComposed || largestWeight(prepared.schema) > STEPS_PER_VALUE;
  const [{ default: Ajv }, { default: formats }] = await Promise.all([
    dialect === "draft-07" ? import("ajv") : import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);

  const create = (options: Options) => {
    const ajv = new Ajv.default(options);
    formats.default(ajv);
    // The pattern of ajv-formats takes quadratic time.
    ajv.addFormat("url", isUrl);
    ajv.removeKeyword("id"); // Of draft 4, whose schemas would be rejected.
    ajv.removeKeyword("uniqueItems");
    ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", compile: uniqueItems });
    return ajv;
  };
  const compile = (allErrors: boolean): { validate: ValidateFunction; budget: Budget } => {
    // An instance per schema: two tools may use the same $id for different schemas.
    const ajv = create({ ...ajvOptions(allErrors, compilePattern), validateSchema: false });
    const budget: Budget = { left: 0 };
    ajv.addKeyword({ keyword: STEP, before: "$ref", errors: false, validate: spend(budget) });
    const minWeight = prepared.isComposed || allErrors ? 0 : STEPS_PER_VALUE;
    const schema = isCounted || allErrors ? counted(prepared.schema, minWeight) : prepared.schema;
    return { validate: ajv.compile(schema), budget };
  };

  if (dialect !== "draft-07" && !isPlainSchema(prepared.schema)) {
    metaSchema ??= create(ajvOptions(false, await patternCompiler([])));
    metaSchema.validateSchema(prepared.schema, true);
  }
  const first = compile(false);
  let all: typeof first | undefined;
  return (props) => {
    const values = isCounted ? countValues(props) : 0;
    first.budget.left = MIN_STEPS + STEPS_PER_VALUE * values;
    if (first.validate(props)) return undefined;
    const found = first.validate.errors ?? [];
    if (countValues(props, MAX_VALUES_WITH_ALL_ERRORS) >= MAX_VALUES_WITH_ALL_ERRORS) return found;
    all ??= compile(true);
    all.budget.left = MAX_STEPS_FOR_ALL_ERRORS;
    try {
      return all.validate(props) ? undefined : (all.validate.errors ?? found);
    } catch (error) {
      if (error instanceof ValidationLimitError) return found;
      throw error;
    }
  };
}

/**
 * Checks that a schema is one. Shared by all clients, which share nothing else by it: to compile the meta-schema takes
 * twenty times as long as to compile the schema of a usual tool.
 */
let metaSchema: Ajv | undefined;

function ajvOptions(allErrors: boolean, compilePattern: CompilePattern): Options {
  const regExp = (pattern: string) => namedMatcher(pattern, compilePattern(pattern));
  regExp.code = "linear"; // Only for code that is saved to a file.
  return {
    allErrors,
    strict: false,
    strictNumbers: true, // NaN and Infinity are not JSON.
    ownProperties: true, // Every object inherits a toString, which is not a property that was given.
    useDefaults: true,
    verbose: true,
    logger: false,
    // Shorter code would take longer to make than the calls of most tools save by it.
    code: { regExp, optimize: false },
  };
}

/** Ajv tells patterns apart by their text form. */
function namedMatcher(pattern: string, matcher: LinearPattern | undefined) {
  return { test: (text: string) => matcher?.test(text) ?? true, toString: () => pattern };
}

interface Budget {
  left: number;
}

/** A keyword that counts how often a schema is applied. */
const STEP = "mci:step";

const spend = (budget: Budget) => (weight: number) => {
  budget.left -= weight;
  if (budget.left < 0)
    throw new ValidationLimitError(
      "alternatives, allowed values or defaults in its inputSchema multiply with its size",
    );
  return true;
};

/** The schema with a counter in each part of more weight than this. */
function counted(schema: Record<string, unknown>, minWeight: number): Record<string, unknown> {
  const add = (value: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => add(item, true));
    if (!isObject(value)) return value;
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isSchema && DATA.has(key) ? item : add(item, !isSchema || !SCHEMA_MAPS.has(key)),
      ]),
    );
    const weight = isSchema ? schemaWeight(value) : 0;
    return weight > minWeight ? { ...copy, [STEP]: weight } : copy;
  };
  return add(schema, true) as Record<string, unknown>;
}

const DATA: ReadonlySet<string> = new Set([
  "default",
  "const",
  "enum",
  "examples",
  "required",
  "type",
  "dependentRequired",
]);
/** Like the keyword of Ajv, which compares every item with every other. */
const uniqueItems = (isUnique: boolean) => (items: readonly unknown[]) => {
  if (!isUnique) return true;
  const seen = new Set<unknown>();
  return items.every((item) => seen.size < seen.add(typeof item === "object" ? canonical(item) : item).size);
};

/** JSON with sorted keys; a prefix keeps it apart from strings. */
function canonical(value: unknown): string {
  const sorted = (_: string, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  return `\0${JSON.stringify(value, sorted)}`;
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text);
}
