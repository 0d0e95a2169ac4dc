import type { McpListed, McpPrompt, McpResource, McpResourceTemplate, McpSkill } from "../../mcp/protocol.ts";
import type { LoadedTool } from "../loaded-tool.ts";
import type { LoadedInstructions } from "./instructions.ts";

/** What a server lists besides its tools; without the kinds that it does not offer. */
export type ServerContent = { readonly [Kind in keyof McpListed]?: readonly McpListed[Kind][] } & {
  /** What it says to the model; empty if nothing, undefined if that is not known. */
  readonly instructions?: string;
};

/** Where a prompt or a resource comes from. */
export type ContentSource =
  | { readonly server: string; readonly name: string }
  /** The file itself offers it, and runs it as it runs a tool. */
  | { readonly execution: LoadedTool };

export interface LoadedPrompt {
  readonly listed: McpPrompt;
  readonly source: ContentSource;
}

export interface LoadedResource {
  readonly listed: McpResource;
  readonly source: ContentSource;
}

/** A skill of a server. */
export interface LoadedSkill {
  /** Under the addresses that the file gives. */
  readonly listed: McpSkill;
  readonly source: { readonly server: string; readonly name: string };
  /** As the server says it. */
  readonly entry: McpSkill;
}

export interface LoadedTemplate {
  readonly listed: McpResourceTemplate;
  readonly source: ContentSource;
}

/** The prompts and resources of a file and of its servers. */
export interface LoadedContent {
  readonly prompts: readonly LoadedPrompt[];
  readonly resources: readonly LoadedResource[];
  readonly templates: readonly LoadedTemplate[];
  readonly skills: readonly LoadedSkill[];
  readonly instructions: readonly LoadedInstructions[];
  /** Servers whose skills are passed on, with the part of addresses that the file adds. */
  readonly skillServers: ReadonlyMap<string, SkillServer>;
  /** Nothing is read that was not listed when the lock was written. */
  readonly isLocked?: boolean;
  /** Servers that also give resources which they do not list, with the addresses that are excepted. */
  readonly open: ReadonlyMap<string, ReadonlySet<string>>;
  /** Servers whose resources are passed on, some or all. */
  readonly servers: ReadonlySet<string>;
  /** Servers whose prompts are. */
  readonly promptServers: ReadonlySet<string>;
}

export interface SkillServer {
  /** The first segment of addresses; empty if there is none. */
  readonly segment: string;
  /** Skills that it does not list are passed on as well. */
  readonly isOpen: boolean;
  /** Where the server has skills: what is there is read as a part of a skill that is passed on, or not at all. */
  readonly roots: readonly string[];
  /** Names and addresses of skills that are not. */
  readonly excluded: readonly string[];
}

export const NO_CONTENT: LoadedContent = {
  prompts: [],
  resources: [],
  templates: [],
  skills: [],
  instructions: [],
  skillServers: new Map(),
  open: new Map(),
  servers: new Set(),
  promptServers: new Set(),
};

export function joinContent(parts: readonly LoadedContent[]): LoadedContent {
  return {
    prompts: parts.flatMap(({ prompts }) => prompts),
    resources: parts.flatMap(({ resources }) => resources),
    templates: parts.flatMap(({ templates }) => templates),
    skills: parts.flatMap(({ skills }) => skills),
    instructions: parts.flatMap(({ instructions }) => instructions),
    skillServers: new Map(parts.flatMap(({ skillServers }) => [...skillServers])),
    open: new Map(parts.flatMap(({ open }) => [...open])),
    servers: new Set(parts.flatMap(({ servers }) => [...servers])),
    promptServers: new Set(parts.flatMap(({ promptServers }) => [...promptServers])),
  };
}

export function sourceName(source: ContentSource): string {
  return "server" in source ? `mcp:${source.server}` : "main";
}
