import type { Problem } from "../../errors.ts";
import { isObject } from "../../is-object.ts";
import type { JsonPath } from "../../template-api.ts";
import { type Diagnostic, inFileOrder, locateDiagnostics } from "../diagnostics.ts";
import type { Parsed } from "../parse/parsed.ts";
import { explainSchemaErrors } from "./input-schema-errors.ts";
import { didYouMean } from "./messages.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Checks that every inputSchema is valid JSON Schema. Not part of loading: a schema is compiled on the first call of its
 * tool. The validator is imported on demand.
 */
export async function checkInputSchemas(
  parsed: Parsed,
  document: { readonly tools?: readonly { readonly inputSchema?: JsonSchema }[] },
): Promise<Problem[]> {
  const checkers = new Map<Dialect, Check>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, { inputSchema }] of (document.tools ?? []).entries()) {
    if (inputSchema === undefined) continue;
    const place = ["tools", index, "inputSchema"];
    const dialect = dialectOf(inputSchema);
    const check = checkers.get(dialect) ?? (await checkOf(dialect));
    checkers.set(dialect, check);
    const wrong = checked(check, inputSchema, place);
    diagnostics.push(...(wrong.length > 0 ? wrong : warnings(inputSchema, place)));
  }
  return inFileOrder(await locateDiagnostics(parsed, diagnostics));
}

/** The validator and the checks here are recursive. */
function checked(check: Check, schema: JsonSchema, place: JsonPath): Diagnostic[] {
  try {
    return check(schema, place);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ place, severity: "error", message: "The schema is nested too deeply" }];
  }
}

type Dialect = "2020-12" | "draft-07" | "older";
type Check = (schema: JsonSchema, place: JsonPath) => Diagnostic[];

function dialectOf({ $schema }: JsonSchema): Dialect {
  if (typeof $schema !== "string") return "2020-12";
  if (/draft-0[67]/.test($schema)) return "draft-07";
  return /draft-0[1-5]/.test($schema) ? "older" : "2020-12";
}

async function checkOf(dialect: Dialect): Promise<Check> {
  if (dialect === "older") return () => [];
  const { default: Ajv } = dialect === "draft-07" ? await import("ajv") : await import("ajv/dist/2020.js");
  const create = () => new Ajv.default({ allErrors: true, strict: false, logger: false });
  const ajv = create();
  return ({ $schema, ...schema }, place) => {
    if (!ajv.validateSchema(schema)) return explainSchemaErrors(ajv.errors ?? [], schema, place);
    const patterns = brokenPatterns(schema, place);
    // Only references need compiling. A new instance: two tools may use one $id for different schemas.
    if (patterns.length > 0 || !hasReference(schema)) return patterns;
    return brokenReference(() => create().compile(schema), place);
  };
}

/** Where a schema holds data, not schemas. */
const DATA = ["default", "const", "enum", "examples"];

function brokenPatterns(schema: unknown, place: JsonPath): Diagnostic[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]): Diagnostic[] => {
    const inside = [...place, Array.isArray(schema) ? Number(key) : key];
    if (DATA.includes(key)) return [];
    if (key !== "pattern" || typeof value !== "string") return brokenPatterns(value, inside);
    const reason = regexError(value);
    return reason === undefined ? [] : [{ place: inside, severity: "error", message: reason }];
  });
}

function regexError(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
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
