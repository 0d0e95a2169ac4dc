import fs from "node:fs";
import { basename } from "node:path";
import { type ClientErrorCode, MCIClientError, type Problem } from "../../errors.ts";
import type { Document, ToolsetReference } from "../../schema/document.ts";
import type { Tool } from "../../schema/tool.ts";
import type { Diagnostic } from "../diagnostics.ts";
import type { InputOverride } from "../loaded.ts";
import { overrideTool, overrideWarnings } from "../overrides.ts";
import type { ParseFile } from "../parse/parse.ts";
import type { Parsed } from "../parse/parsed.ts";
import { type ValidateOptions, validateDocument } from "../validate/document.ts";
import { filterTools, filterWarnings } from "./filter.ts";
import { libraryProblem, liesBelow, resolveToolset } from "./resolve.ts";

/** One validated file of a toolset, with the tools that its reference includes. */
export interface ToolsetFile {
  readonly reference: ToolsetReference;
  /** Which of the entry file's `toolsets` it is. */
  readonly index: number;
  readonly parsed: Parsed;
  readonly document: Document;
  readonly tools: readonly ToolsetTool[];
}

interface ToolsetTool {
  /** The tool has its prefix, its source and what the reference overrides. */
  readonly tool: Tool;
  readonly input?: InputOverride;
  /** Which of the file's `tools` it is. */
  readonly index: number;
}

export interface ToolsetOptions extends Pick<ValidateOptions, "unknownKeys" | "collectTemplateErrors"> {
  readonly parse: ParseFile;
  /** Whether a file that was opened, symbolic links resolved, may be read. */
  readonly mayRead: (real: string) => boolean;
}

export interface Toolsets {
  readonly files: readonly ToolsetFile[];
  /** Problems of the entry file: references to missing toolsets. */
  readonly diagnostics: readonly Diagnostic[];
  /** Problems of the toolset files. */
  readonly problems: readonly Problem[];
  /** The error code if one of them is an error. */
  readonly code: ClientErrorCode;
}

/** Reads every toolset that a file includes. Collects the problems of all of them instead of throwing. */
export async function loadToolsets(
  references: readonly ToolsetReference[],
  library: string,
  options: ToolsetOptions,
): Promise<Toolsets> {
  if (references.length === 0) return { files: [], diagnostics: [], problems: [], code: "schema_invalid" };
  const missing = await libraryProblem(library);
  if (missing !== undefined) {
    const hint = "create it, or set libraryDir to where the toolsets are";
    return {
      files: [],
      diagnostics: [error(["toolsets"], missing, hint)],
      problems: [],
      code: "toolset_not_found",
    };
  }
  // Asked of the opened file, too: a link may be swapped after its name was resolved.
  const root = await fs.promises.realpath(library).catch(() => library);
  const mayRead = (real: string) => liesBelow(root, real) && options.mayRead(real);
  const sets = await Promise.all(
    references.map((reference, index) => loadToolset(reference, index, library, { ...options, mayRead })),
  );
  const codes = sets.flatMap(({ codes }) => codes);
  return {
    files: sets.flatMap(({ files }) => files),
    diagnostics: sets.flatMap(({ diagnostics }) => diagnostics),
    problems: sets.flatMap(({ problems }) => problems),
    code: codes.every((code) => code === codes[0]) ? (codes[0] ?? "schema_invalid") : "schema_invalid",
  };
}

interface Toolset {
  readonly files: readonly ToolsetFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly problems: readonly Problem[];
  readonly codes: readonly ClientErrorCode[];
}

async function loadToolset(
  reference: ToolsetReference,
  index: number,
  library: string,
  options: ToolsetOptions,
): Promise<Toolset> {
  const resolved = await resolveToolset(library, reference.name);
  if ("code" in resolved) {
    const diagnostic = error(["toolsets", index], resolved.message, resolved.hint);
    return { files: [], diagnostics: [diagnostic], problems: [], codes: [resolved.code] };
  }
  const loaded = await Promise.all(
    resolved.files.map((file) => loadToolsetFile(file, reference, index, options)),
  );
  const files = loaded.flatMap(({ file }) => file ?? []);
  const mismatch = versionMismatch(files, resolved.directory);
  // The tools of a file with errors are unknown.
  const warnings = files.length < resolved.files.length ? [] : unknownItems(files, reference, index);
  return {
    files,
    diagnostics: mismatch === undefined ? warnings : [error(["toolsets", index], mismatch)],
    problems: loaded.flatMap(({ problems }) => problems),
    codes: [
      ...loaded.flatMap(({ code }) => code ?? []),
      ...(mismatch === undefined ? [] : (["schema_version"] as const)),
    ],
  };
}

interface LoadedFile {
  readonly file?: ToolsetFile;
  readonly problems: readonly Problem[];
  readonly code?: ClientErrorCode;
}

async function loadToolsetFile(
  path: string,
  reference: ToolsetReference,
  index: number,
  options: ToolsetOptions,
): Promise<LoadedFile> {
  try {
    const parsed = await options.parse(path, options.mayRead);
    const { document, problems } = await validateDocument(parsed, {
      unknownKeys: options.unknownKeys ?? "warn",
      kind: "toolset",
      collectTemplateErrors: options.collectTemplateErrors,
    });
    return {
      file: { reference, index, parsed, document, tools: applyFilter(document, reference) },
      problems,
    };
  } catch (thrown) {
    if (!(thrown instanceof MCIClientError)) throw thrown;
    return { problems: thrown.problems, code: thrown.code };
  }
}

function applyFilter({ tools = [] }: Document, reference: ToolsetReference): ToolsetTool[] {
  const { name, prefix = "", overrides = {} } = reference;
  const taken = new Set(filterTools(tools, reference));
  return tools.flatMap((tool, index) => {
    if (!taken.has(tool)) return [];
    const override = Object.hasOwn(overrides, tool.name) ? overrides[tool.name] : undefined;
    return [{ ...overrideTool({ ...tool, toolsetSource: name }, prefix + tool.name, override), index }];
  });
}

function unknownItems(
  files: readonly ToolsetFile[],
  reference: ToolsetReference,
  index: number,
): Diagnostic[] {
  const tools = files.flatMap(({ document }) => document.tools ?? []);
  const place = ["toolsets", index];
  const source = `toolset '${reference.name}'`;
  return [
    ...filterWarnings(tools, reference, source, [...place, "filterValue"]),
    ...overrideWarnings(tools, reference.overrides, source, place),
  ];
}

/** The files of one directory are one toolset, and must have one version. */
function versionMismatch(files: readonly ToolsetFile[], directory: string | undefined): string | undefined {
  const versions = files.map(
    ({ parsed, document }) => `${basename(parsed.file ?? "")} has ${document.schemaVersion}`,
  );
  if (new Set(files.map(({ document }) => document.schemaVersion)).size <= 1) return undefined;
  return `Schema version mismatch in toolset directory ${directory}: ${versions.join(", ")}`;
}

function error(place: Diagnostic["place"], message: string, hint?: string): Diagnostic {
  return { place, message, hint, severity: "error" };
}
