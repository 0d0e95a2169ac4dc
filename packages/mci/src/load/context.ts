import type { Limits } from "../execute/executor.ts";
import type { Document } from "../schema/document.ts";
import type { Compile, Place, Scope } from "../template-api.ts";
import type { Finding } from "./diagnostics.ts";
import type { LoadedTool, LoadOptions } from "./load.ts";
import type { Parsed } from "./parse/parsed.ts";
import type { NamedTool } from "./toolsets/duplicates.ts";

/** An entry file on its way from text to tools. */
export interface Entry {
  readonly parsed: Parsed;
  readonly document: Document;
  readonly baseDir: string;
  readonly options: LoadOptions;
  readonly limits: Limits;
  readonly env: Readonly<Record<string, unknown>>;
  readonly compile: Compile;
  readonly atCall: Compile;
  /** What was found in it so far; every step adds its own. */
  readonly findings: Finding[];
}

/** A tool that is ready to run, and where it comes from. */
export interface SourcedTool {
  readonly loaded: LoadedTool;
  readonly named: NamedTool;
}

/** A setting of the entry file that is needed before any call. Throws what the template stage throws. */
export function renderSetting({ compile, env }: Entry, source: string, place: Place): string {
  const scope: Scope = { props: {}, env, absent: new Set(), onEnv: () => {} };
  const rendered = compile.text(source, place).render(scope);
  return typeof rendered === "string" ? rendered : "";
}
