import type { McpServer } from "../../schema/document.ts";
import type { LoadedTool } from "../loaded.ts";
import { canonicalJson } from "./canonical-json.ts";
import { settingsOfServer } from "./settings.ts";

/** The tools of a file as they were reviewed: `mci.lock.json`. */
export interface ToolLock {
  readonly lockVersion: 2;
  readonly tools: Readonly<Record<string, LockedTool>>;
}

export interface LockedTool {
  /** "main", the name of a toolset, or `mcp:` and the name of a server. */
  readonly source: string;
  /** The hash of everything below; this one decides. */
  readonly digest: string;
  /** Short digests of the parts, to say which one changed. */
  readonly parts: Readonly<Record<string, string>>;
}

/** A difference between a lock and the tools of now. */
export interface LockChange {
  readonly tool: string;
  readonly change: "changed" | "added" | "removed";
  readonly source: string;
  /** What changed: `description`, `inputSchema` and so on. */
  readonly parts: readonly string[];
}

type Servers = Readonly<Record<string, McpServer>>;

export function lockTools(tools: readonly LoadedTool[], servers: Servers): ToolLock {
  const sorted = [...tools].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  return {
    lockVersion: 2,
    tools: Object.fromEntries(sorted.map((tool) => [tool.tool.name, lockTool(tool, servers)])),
  };
}

/** In the order of their names. */
export function compareLocks(locked: ToolLock, current: ToolLock): LockChange[] {
  const names = [...new Set([...Object.keys(locked.tools), ...Object.keys(current.tools)])].sort();
  return names.flatMap((tool): LockChange[] => {
    const [before, now] = [own(locked, tool), own(current, tool)];
    if (before === undefined) return [{ tool, change: "added", source: now!.source, parts: [] }];
    if (now === undefined) return [{ tool, change: "removed", source: before.source, parts: [] }];
    if (before.digest === now.digest) return [];
    const parts = [...new Set([...Object.keys(before.parts), ...Object.keys(now.parts)])].filter(
      (part) => before.parts[part] !== now.parts[part],
    );
    return [{ tool, change: "changed", source: now.source, parts: parts.sort() }];
  });
}

function own({ tools }: ToolLock, name: string): LockedTool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

function lockTool({ tool, input, settings }: LoadedTool, servers: Servers): LockedTool {
  const { name: _, toolsetSource, disabled: __, enableAnyPaths, directoryAllowList, ...fields } = tool;
  const parts: Record<string, unknown> = {
    ...fields,
    source: sourceOf(tool),
    permissions:
      enableAnyPaths === undefined && !directoryAllowList
        ? undefined
        : { enableAnyPaths, directoryAllowList },
    server: tool.execution.type === "mcp" ? settingsOfServer(tool.execution.serverName, servers) : undefined,
    fixedInput: input && { ...input, hidden: [...input.hidden].sort() },
    settings,
  };
  const texts = Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => [part, canonicalJson(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    source: sourceOf(tool),
    digest: `sha256:${sha256(JSON.stringify(texts))}`,
    parts: Object.fromEntries(texts.map(([part, text]) => [part, sha256(text).slice(0, 16)])),
  };
}

function sourceOf({ toolsetSource, execution }: LoadedTool["tool"]): string {
  if (toolsetSource === undefined) return "main";
  const isServer = execution.type === "mcp" && execution.serverName === toolsetSource;
  return isServer ? `mcp:${toolsetSource}` : toolsetSource;
}

/** Loaded when it is needed: most clients have no lock. */
function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
