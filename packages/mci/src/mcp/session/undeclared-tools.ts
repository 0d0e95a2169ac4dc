import { type Client, ProtocolError } from "@modelcontextprotocol/client";
import type { McpTool } from "../protocol.ts";

type Request = NonNullable<Parameters<Client["ping"]>[0]>;

/** The tools of a server that does not declare the capability, as simple servers forget to; none if it rejects the request. */
export async function undeclaredTools(
  client: Client,
  request: Request,
  maxPages: number,
): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const response = await client.request({ method: "tools/list", params }, request).catch(orNone);
    tools.push(...response.tools);
    cursor = response.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`the list of tools has more than ${maxPages} pages`);
}

function orNone(error: unknown): { tools: McpTool[]; nextCursor?: string } {
  if (error instanceof ProtocolError) return { tools: [] };
  throw error;
}
