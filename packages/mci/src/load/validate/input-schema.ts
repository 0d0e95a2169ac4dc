import { isObject } from "@mci-ts/primitives/is-object";
import type { Problem } from "../../errors.ts";
import {
  dialectOf,
  type JsonSchema,
  patternsIn,
  SchemaLimitError,
  type UsableOptions,
  usableSchema,
} from "../../schema/json-schema/json-schema.ts";
import { patternCompiler } from "../../schema/json-schema/pattern.ts";
import { isPlainSchema } from "../../schema/json-schema/plain-schema.ts";
import type { JsonPath } from "../../template-api.ts";
import { type Diagnostic, inFileOrder, locateDiagnostics } from "../diagnostics.ts";
import type { Parsed } from "../parse/parsed.ts";
import { explainSchemaErrors } from "./input-schema-errors.ts";
import { describeNotes } from "./input-schema-notes.ts";
import { didYouMean } from "./messages.ts";

/**
 * Checks that every inputSchema is JSON Schema that calls can use, after the same translation. Not part of loading: a
 * schema is compiled on the first call of its tool. The validator is imported on demand.
 */
export async function checkInputSchemas(
  parsed: Parsed,
  document: { readonly tools?: readonly { readonly inputSchema?: JsonSchema }[] },
): Promise<Problem[]> {
  const diagnostics: Diagnostic[] = [];
  for (const [index, { inputSchema }] of (document.tools ?? []).entries()) {
    if (inputSchema === undefined) continue;
    const place = ["tools", index, "inputSchema"];
    const dialect = dialectOf(inputSchema);
    diagnostics.push(...(await checkSchema(inputSchema, dialect, place)));
  }
  return inFileOrder(await locateDiagnostics(parsed, diagnostics));
}

async function checkSchema(schema: JsonSchema, dialect: Dialect, place: JsonPath): Promise<Diagnostic[]> {
  try {
    const compilePattern = await patternCompiler(patternsIn(schema));
    const { $schema, ...source } = schema;
    const isUsablePattern = (pattern: string) => compilePattern(pattern) !== undefined;
    const { schema: usable, notes } = usableSchema(source, { dialect, isUsablePattern });
    const wrong = isPlainSchema(usable) && !hasReference(usable) ? [] : await check(usable, dialect, place);
    return [...describeNotes(schema, notes, place), ...(wrong.length > 0 ? wrong : warnings(schema, place))];
  } catch (error) {
    if (error instanceof SchemaLimitError) {
      const message = `The schema cannot be used: ${error.message}`;
      return [{ place, severity: "error", message, hint: "describe less of the input, or split the tool" }];
    }
    // The validator is recursive.
    if (!(error instanceof RangeError)) throw error;
    return [{ place, severity: "error", message: "The schema is nested too deeply" }];
  }
}

async function check(schema: JsonSchema, dialect: Dialect, place: JsonPath): Promise<Diagnostic[]> {
  checks[dialect] ??= await createCheck(dialect);
  return checks[dialect](schema, place);
}

type Dialect = UsableOptions["dialect"];
type Check = (schema: JsonSchema, place: JsonPath) => Diagnostic[];

/**
 * Shared by all files, which share nothing else by it: to compile the meta-schema takes longer than all the rest of checking
 * a file.
 */
const checks: Partial<Record<Dialect, Check>> = {};

async function createCheck(dialect: Dialect): Promise<Check> {
  const { default: Ajv } = dialect === "draft-07" ? await import("ajv") : await import("ajv/dist/2020.js");
  // The code is run once; to optimize it would take half of the time.
  const options = { allErrors: true, strict: false, logger: false, code: { optimize: false } } as const;
  const ajv = new Ajv.default(options);
  return (schema, place) => {
    if (!ajv.validateSchema(schema)) return explainSchemaErrors(ajv.errors ?? [], schema, place);
    // Only references need compiling. A new instance: two tools may use one $id for different schemas. It does not check
    // the schema again, for which it would compile the meta-schema.
    const create = () => new Ajv.default({ ...options, validateSchema: false });
    return hasReference(schema) ? brokenReference(() => compile(create(), schema), place) : [];
  };
}

/** Patterns play no part here, and the native engine may reject some that calls can use. */
function compile(ajv: import("ajv").default, schema: JsonSchema): void {
  ajv.removeKeyword("id"); // Of draft 4, whose schemas would be rejected.
  for (const keyword of ["pattern", "patternProperties"]) ajv.removeKeyword(keyword);
  ajv.compile(schema);
}

function hasReference(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return "$ref" in schema || "$dynamicRef" in schema || Object.values(schema).some(hasReference);
}

function brokenReference(compile: () => unknown, place: JsonPath): Diagnostic[] {
  try {
    compile();
    return [];
  } catch (error) {
    const missing = (error as { missingRef?: string }).missingRef;
    const message =
      missing === undefined
        ? `Not a JSON Schema: ${(error as Error).message}`
        : `The reference '${missing}' does not resolve`;
    return [{ place, severity: "error", message }];
  }
}

/** Valid JSON Schema that is probably a mistake. */
function warnings({ type, properties, required }: JsonSchema, place: JsonPath): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (type !== undefined && ![type].flat().includes("object")) {
    const message = "A tool's input is always an object: no call can satisfy this type";
    diagnostics.push({ place: [...place, "type"], severity: "warning", message, hint: 'write "object"' });
  }
  if (!isObject(properties) || !Array.isArray(required)) return diagnostics;
  const declared = Object.keys(properties);
  for (const [index, name] of required.entries()) {
    const hint =
      typeof name === "string" && !Object.hasOwn(properties, name) ? didYouMean(name, declared) : undefined;
    if (hint === undefined) continue;
    const message = `'${name}' is required but not among the properties`;
    diagnostics.push({ place: [...place, "required", index], severity: "warning", message, hint });
  }
  return diagnostics;
}
