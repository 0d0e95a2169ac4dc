import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";
import { listedSchema } from "mci-ts/authoring";

/** A tool as MCP lists it, under the name it is served by. `onLoss` is told what its schema cannot say to every client. */
export function toMcpTool(
  tool: Tool,
  name = tool.name,
  onLoss: (message: string) => void = () => {},
): McpTool {
  const { description, annotations, inputSchema = {}, icons, _meta } = tool;
  // Clients reject a result without the structured content that is announced.
  const outputSchema = tool.result?.format === "text" ? undefined : tool.outputSchema;
  // Audience is about results; MCP's annotations of a tool do not know it.
  const { audience: _, title, ...hints } = annotations ?? {};
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: listedSchema(inputSchema, onLoss) as McpTool["inputSchema"],
    ...(outputSchema !== undefined && { outputSchema: outputSchema as McpTool["outputSchema"] }),
    ...(annotations !== undefined && { annotations: { ...(title !== undefined && { title }), ...hints } }),
    ...(icons !== undefined && { icons: icons as McpTool["icons"] }),
    ...(_meta !== undefined && { _meta: _meta as McpTool["_meta"] }),
  };
}
