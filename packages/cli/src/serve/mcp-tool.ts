import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";

/** A tool as MCP lists it. The input schema is handed on as it is, whatever keywords it uses. */
export function toMcpTool({ name, description, annotations, inputSchema = {} }: Tool): McpTool {
  // Audience is about results; MCP's annotations of a tool do not know it.
  const { audience: _, title, ...hints } = annotations ?? {};
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: objectSchema(inputSchema),
    ...(annotations !== undefined && { annotations: { ...(title !== undefined && { title }), ...hints } }),
  };
}

/** Arguments are always an object, and MCP wants the schema to say so. */
function objectSchema(schema: Readonly<Record<string, unknown>>): McpTool["inputSchema"] {
  return (schema.type === "object" ? schema : { ...schema, type: "object" }) as McpTool["inputSchema"];
}
