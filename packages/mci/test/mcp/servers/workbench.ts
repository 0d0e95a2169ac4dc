import { Server } from "@modelcontextprotocol/server";
import { callTool, listTools } from "./workbench-tools.ts";

/** The workbench as a server of the SDK. */
export function createWorkbench(): Server {
  const server = new Server({ name: "workbench", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => listTools() as never);
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { signal, _meta } = mcpReq;
    const progressToken = _meta?.progressToken;
    const sent: Promise<void>[] = [];
    const progress = (step: object) => {
      if (progressToken === undefined) return false;
      const params = { progressToken, ...(step as { progress: number }) };
      sent.push(mcpReq.notify({ method: "notifications/progress", params }));
      return true;
    };
    const result = await callTool(params.name, params.arguments ?? {}, { signal, progress });
    await Promise.all(sent);
    return result as never;
  });
  return server;
}
