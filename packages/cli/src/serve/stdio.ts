import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveWire } from "@modelcontextprotocol/server/stdio";
import type { Context } from "../command.ts";
import { Failure } from "../failure.ts";
import { within } from "./deadline.ts";
import type { Endpoint } from "./endpoint.ts";
import { StdioWire } from "./stdio-wire.ts";

export interface StdioOptions {
  readonly context: Pick<Context, "stdin" | "stdout">;
  readonly newServer: () => Server;
  /** Told of what the client did wrong and nobody can answer. */
  readonly onError: (error: Error) => void;
}

/** Serves the one client at the other end of standard input and output, in whichever era of the protocol it opens. */
export function serveStdio({ context, newServer, onError }: StdioOptions): Endpoint {
  const wire = new StdioWire(context.stdin, context.stdout.stream);
  const servers = new Set<Server>();
  const connection = serveWire(
    () => {
      const server = newServer();
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport: wire, onerror: onError },
  );
  return {
    where: "standard input and output",
    ended: wire.inputEnded.catch((cause: Error) => {
      throw new Failure(`The client sent what cannot be read: ${cause.message}.`, { cause });
    }),
    toolsChanged() {
      for (const server of servers) server.sendToolListChanged().catch(onError);
    },
    async drain(milliseconds) {
      wire.pause();
      await within(milliseconds, wire.answered());
    },
    close: () => connection.close(),
  };
}
