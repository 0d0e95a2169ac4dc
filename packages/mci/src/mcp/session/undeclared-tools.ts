import { type Client, ProtocolError, SdkHttpError } from "@modelcontextprotocol/client";
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
  if (error instanceof ProtocolError || isUnknownMethod(error)) return { tools: [] };
  throw error;
}

/** Since 2026 a server over HTTP says "method not found" with the status 404, too. */
function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof SdkHttpError) || error.status !== 404) return false;
  return /"code":\s*-32601\b/.test(String(error.data["text"]));
}
