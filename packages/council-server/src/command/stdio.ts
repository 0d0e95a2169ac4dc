import { StdioTransport } from "@mci-ts/http-guard/mcp";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Config } from "../config/config.ts";
import { formatLogError } from "../mcp/handler.ts";
import { createMcpServer } from "../mcp/mcp-server.ts";
import { keyDestinations } from "../providers/routing.ts";
import { openService } from "../server.ts";
import { startupWarnings } from "./messages.ts";

/** MCP over stdio, for a client that starts the council itself. Standard output carries the protocol; messages go to standard error. */
export async function serveOverStdio(config: Config): Promise<void> {
  const service = await openService(config);
  const { log } = service;
  for (const warning of startupWarnings(service)) log(warning);
  for (const destination of keyDestinations(config.models)) log(`council: ${destination}`, { level: "info" });
  log(`council: MCP on standard input and output; model: ${service.models.description}`, { level: "info" });
  const transport = new StdioTransport(process.stdin, process.stdout);
  const handle = serveStdio(() => createMcpServer(service), {
    transport,
    onerror: (error) => log(formatLogError(error)),
  });
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await handle.close();
    await service.close();
    await service.store.close();
  };
  // The history's thread would keep the process alive without a client.
  void transport.inputEnded.then(stop, stop);
  process.stdout.once("error", stop);
  // Other instances have taken over what it did; the client starts it again.
  service.store.shared?.lost.addEventListener("abort", () => {
    process.exitCode = 1;
    void stop();
  });
  process.once("SIGINT", stop).once("SIGTERM", stop);
}
