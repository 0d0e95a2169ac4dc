import { compileExecution } from "../execute/execute.ts";
import type { PathRules } from "../execute/executor.ts";
import type { Tool } from "../schema/tool.ts";
import { type Compile, DROPPED, type Place, type Scope, type Text } from "../text.ts";
import type { LoadedTool } from "./load.ts";

/** Permissions as a file or a toolset reference writes them. */
export interface Permissions {
  readonly enableAnyPaths?: boolean;
  readonly directoryAllowList?: readonly string[];
}

/** Parses a tool's templates and settles which paths it may reach. */
export function compileTool(tool: Tool, place: Place, file: FileContext): LoadedTool {
  return {
    tool: freeze(tool),
    compiled: compileExecution(tool.execution, file.compile, [...place, "execution"]),
    paths: pathRules(tool, place, file),
  };
}

export interface FileContext {
  readonly baseDir: string;
  readonly compile: Compile;
  /** What the file allows its tools. */
  readonly permissions: Permissions;
  readonly permissionsPlace: Place;
}

/** The tool's own settings come first, then the file's. Nothing is rendered before a call needs it. */
function pathRules(
  tool: Tool,
  place: Place,
  { baseDir, compile, permissions, permissionsPlace }: FileContext,
) {
  const enableAnyPaths = tool.enableAnyPaths ?? permissions.enableAnyPaths ?? false;
  const own = tool.directoryAllowList;
  const list = own ?? permissions.directoryAllowList ?? [];
  const listPlace = [...(own ? place : permissionsPlace), "directoryAllowList"];
  const entries = list.map((entry, index) => compile.text(entry, [...listPlace, index]));
  const constant = entries.every((entry) => entry.isConstant);
  const fixed: PathRules | undefined = constant
    ? { baseDir, enableAnyPaths, directoryAllowList: list }
    : undefined;
  return (scope: Scope): PathRules =>
    fixed ?? { baseDir, enableAnyPaths, directoryAllowList: render(entries, scope) };
}

function render(entries: readonly Text[], scope: Scope): string[] {
  return entries.map((entry) => entry.render(scope)).filter((entry) => entry !== DROPPED);
}

/** Tools are handed out to callers; nobody may change them. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
