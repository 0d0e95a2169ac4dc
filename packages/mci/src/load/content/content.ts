import type { McpListed, McpPrompt, McpResource, McpResourceTemplate } from "../../mcp/protocol.ts";
import type { LoadedTool } from "../loaded-tool.ts";

/** What a server lists besides its tools; without the kinds that it does not offer. */
export type ServerContent = { readonly [Kind in keyof McpListed]?: readonly McpListed[Kind][] };

/** Where a prompt or a resource comes from. */
export type ContentSource =
  | { readonly server: string; readonly name: string }
  /** Of the file itself, which runs it as it runs a tool. */
  | { readonly execution: LoadedTool };

export interface LoadedPrompt {
  readonly listed: McpPrompt;
  readonly source: ContentSource;
}

export interface LoadedResource {
  readonly listed: McpResource;
  readonly source: ContentSource;
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
  /** Servers that also give resources which they do not list, with the addresses that are excepted. */
  readonly open: ReadonlyMap<string, ReadonlySet<string>>;
  /** Servers whose resources are passed on, some or all. */
  readonly servers: ReadonlySet<string>;
  /** Servers whose prompts are. */
  readonly promptServers: ReadonlySet<string>;
}

export const NO_CONTENT: LoadedContent = {
  prompts: [],
  resources: [],
  templates: [],
  open: new Map(),
  servers: new Set(),
  promptServers: new Set(),
};

export function joinContent(parts: readonly LoadedContent[]): LoadedContent {
  return {
    prompts: parts.flatMap(({ prompts }) => prompts),
    resources: parts.flatMap(({ resources }) => resources),
    templates: parts.flatMap(({ templates }) => templates),
    open: new Map(parts.flatMap(({ open }) => [...open])),
    servers: new Set(parts.flatMap(({ servers }) => [...servers])),
    promptServers: new Set(parts.flatMap(({ promptServers }) => [...promptServers])),
  };
}

export function sourceName(source: ContentSource): string {
  return "server" in source ? `mcp:${source.server}` : "main";
}
