import type { McpTool } from "../../mcp/protocol.ts";
import type { Annotations, Tool } from "../../schema/tool.ts";

/** Converts a server's tools to tools of an MCI file. Their input schemas stay as they are. */
export function toTools(server: string, listed: readonly McpTool[]): Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of listed) {
    // A tool needs a name, and of two tools with one name only the first can be called.
    if (tool.name.trim() !== "" && !byName.has(tool.name)) byName.set(tool.name, toTool(server, tool));
  }
  return [...byName.values()];
}

function toTool(server: string, tool: McpTool): Tool {
  const annotations = toAnnotations(tool);
  return {
    name: tool.name,
    description: tool.description ?? "",
    annotations,
    ...(tool.inputSchema === undefined ? {} : { inputSchema: tool.inputSchema as Tool["inputSchema"] }),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema as Tool["outputSchema"] }),
    tags: toTags(annotations),
    ...(tool.icons === undefined ? {} : { icons: tool.icons.map((icon) => ({ ...icon })) }),
    ...(tool._meta === undefined ? {} : { _meta: tool._meta }),
    execution: { type: "mcp", serverName: server, toolName: tool.name },
  };
}

const HINTS = {
  readOnlyHint: "IsReadOnly",
  destructiveHint: "IsDestructive",
  idempotentHint: "IsIdempotent",
  openWorldHint: "IsOpenWorld",
} as const;
const HINT_NAMES = Object.keys(HINTS) as (keyof typeof HINTS)[];
const ROLES = ["user", "assistant"] as const;

function toAnnotations({ title, annotations = {} }: McpTool): Annotations {
  const fields: Record<string, unknown> = annotations;
  const hints = HINT_NAMES.filter((name) => typeof fields[name] === "boolean").map((name) => [
    name,
    fields[name],
  ]);
  // The protocol's order: a tool's own title comes before that of its annotations.
  const displayTitle = title ?? (typeof fields["title"] === "string" ? fields["title"] : undefined);
  const { audience } = fields;
  return {
    ...(displayTitle === undefined ? {} : { title: displayTitle }),
    ...Object.fromEntries(hints),
    ...(Array.isArray(audience) ? { audience: ROLES.filter((role) => audience.includes(role)) } : {}),
  };
}

function toTags(annotations: Annotations): string[] {
  return [
    ...HINT_NAMES.filter((name) => annotations[name] === true).map((name) => HINTS[name]),
    ...(annotations.audience ?? []).map((role) => `audience_${role}`),
  ];
}
