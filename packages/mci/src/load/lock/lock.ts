import type { McpServer } from "../../schema/document.ts";
import {
  type ContentSource,
  type LoadedContent,
  type LoadedPrompt,
  type LoadedResource,
  type LoadedSkill,
  type LoadedTemplate,
  sourceName,
} from "../content/content.ts";
import type { LoadedInstructions } from "../content/instructions.ts";
import type { LoadedTool } from "../loaded.ts";
import { canonicalJson, orderedJson } from "./canonical-json.ts";
import { settingsOfServer } from "./settings.ts";

/** The tools of a file as they were reviewed: `mci.lock.json`. */
export interface ToolLock {
  readonly lockVersion: 3;
  readonly tools: Readonly<Record<string, LockedTool>>;
  /** Everything else that models and clients read, by kinds and names or addresses. Absent if there is nothing. */
  readonly content?: Readonly<Record<string, LockedTool>>;
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
  /** The name of the tool; of anything else, the kind and the name, such as `prompt review`. */
  readonly tool: string;
  readonly kind: "tool" | "content";
  readonly change: "changed" | "added" | "removed";
  readonly source: string;
  /** What changed: `description`, `inputSchema` and so on. */
  readonly parts: readonly string[];
}

type Servers = Readonly<Record<string, McpServer>>;

export function lockTools(
  tools: readonly LoadedTool[],
  servers: Servers,
  content?: LoadedContent,
  { description }: { readonly description?: string | undefined } = {},
): ToolLock {
  const others = [
    ...(description === undefined ? [] : [[DESCRIPTION, lockParts({ text: description }, "main")] as const]),
    ...(content === undefined ? [] : lockContent(content, servers)),
  ];
  const sorted = [...tools].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  return {
    lockVersion: 3,
    tools: Object.fromEntries(sorted.map((tool) => [tool.tool.name, lockTool(tool, servers)])),
    ...(others.length > 0 && { content: Object.fromEntries(others) }),
  };
}

/** In the order of their names. */
export function compareLocks(locked: ToolLock, current: ToolLock): LockChange[] {
  return [
    ...compare("tool", locked.tools, current.tools),
    ...compare("content", locked.content ?? {}, current.content ?? {}),
  ];
}

type Entries = Readonly<Record<string, LockedTool>>;

function compare(kind: LockChange["kind"], locked: Entries, current: Entries): LockChange[] {
  const names = [...new Set([...Object.keys(locked), ...Object.keys(current)])].sort();
  return names.flatMap((tool): LockChange[] => {
    const [before, now] = [own(locked, tool), own(current, tool)];
    if (before === undefined) return [{ tool, kind, change: "added", source: now!.source, parts: [] }];
    if (now === undefined) return [{ tool, kind, change: "removed", source: before.source, parts: [] }];
    if (before.digest === now.digest) return [];
    const parts = [...new Set([...Object.keys(before.parts), ...Object.keys(now.parts)])].filter(
      (part) => before.parts[part] !== now.parts[part],
    );
    return [{ tool, kind, change: "changed", source: now.source, parts: parts.sort() }];
  });
}

function own(entries: Entries, name: string): LockedTool | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** The key of what the file says about itself: `mci run` sends it to models. */
export const DESCRIPTION = "description of the file";

/** The key of a prompt or a resource in a lock. */
export const contentKey = {
  prompt: ({ listed }: LoadedPrompt) => `prompt ${listed.name}`,
  resource: ({ listed }: LoadedResource) => `resource ${listed.uri}`,
  template: ({ listed }: LoadedTemplate) => `resource template ${listed.uriTemplate}`,
  skill: ({ listed }: LoadedSkill) => `skill ${listed.uri}`,
  instructions: ({ source }: LoadedInstructions) => `instructions of ${source.server}`,
};

function lockContent(content: LoadedContent, servers: Servers) {
  const { prompts, resources, templates, skills, instructions } = content;
  const listed = [
    ...prompts.map((prompt) => [contentKey.prompt(prompt), prompt] as const),
    ...resources.map((resource) => [contentKey.resource(resource), resource] as const),
    ...templates.map(
      (template) => [contentKey.template(template), placed(template, templates, servers)] as const,
    ),
    ...skills.map((skill) => [contentKey.skill(skill), skill] as const),
    ...instructions.map((each) => [contentKey.instructions(each), prefixed(each)] as const),
  ];
  return [...Map.groupBy(listed, ([key]) => key)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, same]) => [key, joinEntries(same.map(([, each]) => lockListed(each, servers)))] as const);
}

interface Listed {
  readonly listed: object;
  readonly source: ContentSource;
  /** What the file says beside the list. */
  readonly ours?: Readonly<Record<string, unknown>>;
}

/** Of templates that match an address the first one is read: of the file's own, and then of its servers, in the file's order. */
function placed(
  { listed, source }: LoadedTemplate,
  templates: readonly LoadedTemplate[],
  servers: Servers,
): Listed {
  const own = templates.filter((each) => !("server" in each.source)).map((each) => each.listed.uriTemplate);
  const [order, self] =
    "server" in source ? [Object.keys(servers), source.server] : [own, listed.uriTemplate];
  const after = order.slice(0, Math.max(0, order.indexOf(self)));
  return { listed, source, ours: { after: after.length === 0 ? undefined : after } };
}

/** A model is told the prefix together with the text. */
function prefixed({ listed, source, prefix }: LoadedInstructions): Listed {
  return { listed, source, ours: { prefix: prefix === "" ? undefined : prefix } };
}

function lockListed({ listed, source, ours = {} }: Listed, servers: Servers): LockedTool {
  const beside =
    "server" in source
      ? { ...ours, server: settingsOfServer(source.server, servers) }
      : { ...ours, execution: source.execution.tool.execution, settings: source.execution.settings };
  return lockParts({ ...listed, ...beside }, sourceName(source));
}

/** Two servers may list the same name: none of them changes without the other being looked at. */
function joinEntries(entries: readonly LockedTool[]): LockedTool {
  if (entries.length === 1) return entries[0]!;
  return {
    source: entries.map(({ source }) => source).join(", "),
    digest: digestOf(entries.map(({ source, digest }) => [source, digest])),
    parts: Object.fromEntries(
      entries.flatMap(({ source, parts }, index) =>
        Object.entries(parts).map(([part, digest]) => [`${part} (${source}, ${index + 1})`, digest]),
      ),
    ),
  };
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
  return lockParts(parts, sourceOf(tool), tool.execution.type === "mcp" ? ORDERED : ORDERED_IN_FILES);
}

/**
 * The author of a file decides the order of these: a command gets its flags in it, of two spellings of a header the last one is sent,
 * and defaults are filled in by it. What a server lists has none.
 */
const ORDERED: ReadonlySet<string> = new Set(["execution", "server"]);
const ORDERED_IN_FILES: ReadonlySet<string> = new Set([...ORDERED, "inputSchema", "fixedInput"]);

function lockParts(
  parts: Readonly<Record<string, unknown>>,
  source: string,
  ordered: ReadonlySet<string> = ORDERED,
): LockedTool {
  const texts = Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => [part, (ordered.has(part) ? orderedJson : canonicalJson)(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    source,
    digest: digestOf(texts),
    parts: Object.fromEntries(texts.map(([part, text]) => [part, sha256(text).slice(0, 16)])),
  };
}

function digestOf(parts: readonly (readonly [string, string])[]): string {
  return `sha256:${sha256(JSON.stringify(parts))}`;
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
