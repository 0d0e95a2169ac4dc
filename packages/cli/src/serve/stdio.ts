import { withTimeout } from "@mci-ts/http-guard";
import { StdioTransport } from "@mci-ts/http-guard/mcp";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveTransport } from "@modelcontextprotocol/server/stdio";
import type { Context } from "../command.ts";
import type { Endpoint } from "./endpoint.ts";

export interface StdioOptions {
  readonly context: Pick<Context, "stdin" | "stdout">;
  readonly newServer: () => Server;
  /** Called with protocol errors that cannot be answered. */
  readonly onError: (error: Error) => void;
}

/** Serves the one client at the other end of standard input and output, in whichever era of the protocol it opens. */
export function serveStdio({ context, newServer, onError }: StdioOptions): Endpoint {
  const transport = new StdioTransport(context.stdin, context.stdout.stream);
  const servers = new Set<Server>();
  const connection = serveTransport(
    () => {
      const server = newServer();
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport, onerror: onError },
  );
  return {
    address: "standard input and output",
    ended: transport.inputEnded,
    toolsChanged() {
      for (const server of servers) server.sendToolListChanged().catch(onError);
    },
    async drain(milliseconds) {
      transport.pause();
      await withTimeout(milliseconds, transport.answered(), () => {});
    },
    close: () => connection.close(),
  };
}
