import { withTimeout } from "@mci-ts/http-guard";
import { StdioTransport } from "@mci-ts/http-guard/mcp";
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { serveStdio as serveTransport } from "@modelcontextprotocol/server/stdio";
import type { Context } from "../command.ts";
import type { Endpoint } from "./endpoint.ts";
import type { WatchedResources } from "./watched-resources.ts";

export interface StdioOptions {
  readonly context: Pick<Context, "stdin" | "stdout">;
  readonly newServer: () => Server;
  /** The resources that the client watches. */
  readonly watched: WatchedResources;
  /** Called with protocol errors that cannot be answered. */
  readonly onError: (error: Error) => void;
}

/** Serves the one client at the other end of standard input and output, in whichever era of the protocol it opens. */
export function serveStdio({ context, newServer, watched, onError }: StdioOptions): Endpoint {
  const transport = new StdioTransport(context.stdin, context.stdout.stream);
  transport.onreceive = (message) => onSubscription(message, watched, onError);
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
    listChanged(list) {
      const send = {
        tools: (server: Server) => server.sendToolListChanged(),
        prompts: (server: Server) => server.sendPromptListChanged(),
        resources: (server: Server) => server.sendResourceListChanged(),
      };
      for (const server of servers) if (server.getCapabilities()[list]) send[list](server).catch(onError);
    },
    resourceUpdated(uri) {
      for (const server of servers) server.sendResourceUpdated({ uri }).catch(onError);
    },
    async drain(milliseconds) {
      transport.pause();
      await withTimeout(milliseconds, transport.answered(), () => {});
    },
    close: () => connection.close(),
  };
}

/** Since 2026 a client says in one request what it wants to be told of, until it cancels that. */
function onSubscription(
  message: JSONRPCMessage,
  watched: WatchedResources,
  onError: (error: Error) => void,
): void {
  if (!("method" in message)) return;
  const { params } = message as {
    params?: { requestId?: unknown; notifications?: { resourceSubscriptions?: unknown } };
  };
  const uris = params?.notifications?.resourceSubscriptions;
  if (message.method === "subscriptions/listen" && "id" in message && Array.isArray(uris))
    watched.add(message.id, ...uris.filter((uri) => typeof uri === "string")).catch(onError);
  if (message.method === "notifications/cancelled") watched.removeOwner(params?.requestId).catch(onError);
}
