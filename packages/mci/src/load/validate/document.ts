import { isObject } from "@mci-ts/primitives/is-object";
import * as z from "zod/mini";
import type { Problem } from "../../errors.ts";
import { type Document, document } from "../../schema/document.ts";
import { type Execution, execution, templateEngine } from "../../schema/execution.ts";
import { envAllowList, isTrue } from "../../schema/fields.ts";
import { result } from "../../schema/result.ts";
import type { Tool } from "../../schema/tool.ts";
import type { JsonPath } from "../../template-api.ts";
import { type Diagnostic, inFileOrder, locateDiagnostics } from "../diagnostics.ts";
import type { Parsed } from "../parse/parsed.ts";
import { loadError } from "../problems.ts";
import { explainIssue } from "./explain-issue.ts";
import { inputSchemaNotes } from "./input-schema-notes.ts";
import { lostDigits, restoreRawNumbers } from "./raw-numbers.ts";
import { checkSemantics, type FileKind } from "./semantics.ts";
import { unknownKeys } from "./unknown-keys.ts";

export interface ValidateOptions {
  /** Unknown keys and other suspicious content: ignored, warnings, or errors. Default "ignore". */
  readonly unknownKeys?: "ignore" | "warn" | "error";
  /** A toolset file must have tools, and cannot include others. Default "entry". */
  readonly kind?: FileKind;
  /**
   * Called if the file is invalid, with the valid parts of its tools, so that template errors are reported together with the others.
   * Default: not collected.
   */
  readonly collectTemplateErrors?: (valid: ValidParts) => Promise<readonly Diagnostic[]>;
}

export interface ValidParts {
  readonly tools: readonly PlacedTool[];
  /** The file's template engine and allow list, if valid. */
  readonly templateEngine?: Document["templateEngine"];
  readonly envAllowList?: Document["envAllowList"];
}

interface PlacedTool {
  readonly tool: Tool;
  readonly place: JsonPath;
}

export interface ValidatedDocument {
  readonly document: Document;
  /** Warnings only. */
  readonly problems: readonly Problem[];
}

/** Throws one `MCIClientError` with every problem of the file, each with its line and column. */
export async function validateDocument(
  parsed: Parsed,
  options: ValidateOptions = {},
): Promise<ValidatedDocument> {
  const { unknownKeys: mode = "ignore", kind = "entry" } = options;
  const { data, hasNoEffect } =
    kind === "toolset" ? ownParts(parsed.data) : { data: parsed.data, hasNoEffect: [] };
  const result = z.safeParse(await schemaFor(data), data);
  const diagnostics = [
    ...(result.error?.issues.flatMap((issue) => explainIssue(issue, data)) ?? []),
    ...checkSemantics(data, kind),
    ...inputSchemaNotes(data),
    ...(mode === "ignore"
      ? []
      : [...unknownKeys(data, mode === "warn" ? "warning" : "error"), ...hasNoEffect]),
  ];
  if (!result.success) diagnostics.push(...((await options.collectTemplateErrors?.(validParts(data))) ?? []));
  const warnings = mode === "ignore" ? [] : await parsed.warnings();
  const problems = inFileOrder([...(await locateDiagnostics(parsed, diagnostics)), ...warnings]);
  if (!result.success || problems.some((problem) => problem.severity === "error")) {
    throw loadError(
      isOtherVersion(data, diagnostics) ? "schema_version" : "schema_invalid",
      parsed.file,
      problems,
    );
  }
  const lost = await locateDiagnostics(parsed, lostDigits(result.data, parsed.rawNumbers));
  restoreRawNumbers(result.data, parsed.rawNumbers);
  return { document: result.data, problems: [...problems, ...lost] };
}

function validParts(data: unknown): ValidParts {
  const { tools, templateEngine: engine, envAllowList: allowList } = isObject(data) ? data : {};
  return {
    tools: Array.isArray(tools) ? tools.flatMap(validTool) : [],
    templateEngine: z.safeParse(templateEngine, engine).data,
    envAllowList: z.safeParse(allowListOfTemplates, allowList).data,
  };
}

const allowListOfTemplates = envAllowList("the file");

/** What a tool's templates and expressions are checked with, whatever else is wrong with the tool. */
function validTool(item: unknown, index: number): PlacedTool[] {
  if (!isObject(item) || isTrue(item.disabled)) return [];
  const valid = validExecution(item.execution);
  if (valid === undefined) return [];
  const tool: Tool = {
    name: typeof item.name === "string" ? item.name : "",
    execution: valid,
    ...(isObject(item.inputSchema) && { inputSchema: item.inputSchema }),
    envAllowList: z.safeParse(allowListOfTemplates, item.envAllowList).data,
    result: z.safeParse(z.optional(result), item.result).data,
  };
  return [{ tool, place: ["tools", index] }];
}

/** An execution without its settings that are wrong, if it needs none of them. */
function validExecution(source: unknown): Execution | undefined {
  const { data, error } = z.safeParse(execution, source);
  if (data !== undefined || !isObject(source)) return data;
  const wrong = new Set(error?.issues.map(({ path }) => path[0]));
  const rest = Object.entries(source).filter(([key]) => !wrong.has(key));
  return z.safeParse(execution, Object.fromEntries(rest)).data;
}

/** From this size on, generating code for the validation saves more time than it costs. */
const MANY_TOOLS = 2000;

async function schemaFor(data: unknown): Promise<typeof document> {
  const isLarge = isObject(data) && Array.isArray(data.tools) && data.tools.length >= MANY_TOOLS;
  return isLarge ? (await import("./compiled-document.ts")).compiledDocument : document;
}

/** A toolset file includes nothing itself: keys that only an entry file may have are dropped. */
function ownParts(data: unknown): { data: unknown; hasNoEffect: Diagnostic[] } {
  if (!isObject(data)) return { data, hasNoEffect: [] };
  const { toolsets, mcp_servers, libraryDir, prompts, resources, ...own } = data;
  const hasNoEffect = Object.keys({ toolsets, mcp_servers, libraryDir, prompts, resources })
    .filter((key) => Object.hasOwn(data, key))
    .map((key): Diagnostic => {
      return {
        place: [key],
        atKey: true,
        severity: "warning",
        message: `'${key}' has no effect in a toolset file`,
      };
    });
  return { data: own, hasNoEffect };
}

function isOtherVersion(data: unknown, diagnostics: readonly Diagnostic[]): boolean {
  const isReported = diagnostics.some(({ place }) => place.length === 1 && place[0] === "schemaVersion");
  return isReported && isObject(data) && data.schemaVersion !== undefined;
}
