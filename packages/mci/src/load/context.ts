import { resolve } from "node:path";
import { ToolError } from "../errors.ts";
import type { Limits } from "../execute/executor.ts";
import { DEFAULT_LIBRARY_DIR } from "../schema/defaults.ts";
import type { Document } from "../schema/document.ts";
import type { Secrets } from "../secrets.ts";
import type { JsonPath, Scope } from "../template-api.ts";
import type { Templates } from "./compile-tools.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadedTool } from "./loaded.ts";
import type { Parsed } from "./parse/parsed.ts";
import type { NamedTool } from "./toolsets/duplicates.ts";

/** The state of loading one entry file. */
export interface LoadContext extends Templates {
  readonly parsed: Parsed;
  readonly document: Document;
  readonly baseDir: string;
  readonly options: LoadOptions;
  /** Whether a folder, or a file that was opened, may be read. */
  readonly mayRead: (path: string) => boolean;
  readonly limits: Limits;
  readonly env: Readonly<Record<string, unknown>>;
  /** The env values in settings of the file itself. Messages about it show none of them. */
  readonly secrets: Secrets;
  /** Problems found so far; every step adds its own. */
  readonly diagnostics: Diagnostic[];
}

/** A tool that is ready to run, and where it comes from. */
export interface SourcedTool {
  readonly loaded: LoadedTool;
  readonly named: NamedTool;
}

/** Where toolsets and cached tool lists are. Undefined if that cannot be known; the diagnostics then say why. */
export function findLibrary(context: LoadContext): string | undefined {
  const { document, baseDir, compile, options, diagnostics } = context;
  const { libraryDir = DEFAULT_LIBRARY_DIR } = document;
  const place = ["libraryDir"];
  if (options.validating && !compile.text(libraryDir, place).isConstant) {
    const message = "The toolsets were not checked, because libraryDir depends on env";
    if ((document.toolsets ?? []).length > 0) diagnostics.push({ place, message, severity: "warning" });
    return undefined;
  }
  try {
    const library = resolve(baseDir, renderSetting(context, libraryDir, place));
    if (context.mayRead(library)) return library;
    const message = "The toolsets were not checked, because libraryDir leads out of the project";
    const hint = "keep the toolsets in the folder of the file or in its repository";
    if ((document.toolsets ?? []).length > 0) diagnostics.push({ place, message, hint, severity: "warning" });
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // A malformed template is among the diagnostics already.
    if (error.code !== "template_syntax")
      diagnostics.push({ place, message: error.message, severity: "error" });
    return undefined;
  }
}

/** Renders a setting of the entry file that is needed before any call. Throws the errors of the template stage. */
function renderSetting({ compile, env, secrets }: LoadContext, source: string, place: JsonPath): string {
  const onEnv: Scope["onEnv"] = (value, use) => secrets.add(value, use);
  const scope: Scope = { props: {}, env, absent: new Set(), onEnv };
  const rendered = compile.text(source, place).render(scope);
  return typeof rendered === "string" ? rendered : "";
}
