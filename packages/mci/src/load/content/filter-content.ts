import type { ToolFilter } from "../../tools/select.ts";
import type { LoadedTool } from "../loaded-tool.ts";
import type { ContentSource, LoadedContent } from "./content.ts";

/** A filter names tools. Of a server none of whose tools pass it, nothing else is offered either. */
export function filterContent(
  content: LoadedContent,
  tools: readonly LoadedTool[],
  filter: ToolFilter | undefined,
): LoadedContent {
  if (filter === undefined || Object.keys(filter).length === 0) return content;
  const servers = new Set(tools.map(({ tool }) => tool.toolsetSource));
  const passes = ({ source }: { readonly source: ContentSource }) =>
    !("server" in source) || servers.has(source.server);
  return {
    prompts: content.prompts.filter(passes),
    resources: content.resources.filter(passes),
    templates: content.templates.filter(passes),
    skills: content.skills.filter(passes),
    instructions: content.instructions.filter(passes),
    skillServers: new Map([...content.skillServers].filter(([server]) => servers.has(server))),
    ...(content.isLocked && { isLocked: true }),
    open: new Map([...content.open].filter(([server]) => servers.has(server))),
    servers: new Set([...content.servers].filter((server) => servers.has(server))),
    promptServers: new Set([...content.promptServers].filter((server) => servers.has(server))),
  };
}
