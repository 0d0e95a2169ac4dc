import { basename } from "node:path";
import { traced } from "@mci-ts/primitives/tracing";
import type { Connection, ConnectOptions } from "./connection.ts";
import { connectHttp } from "./http/connect.ts";
import type { ServerConfig } from "./server-config.ts";
import { connectStdio } from "./stdio/connect.ts";
import { withTimeout } from "./timeout.ts";

/*
 * The only way from a configuration to a live session. Importing this file loads the MCP SDK, so all others import
 * it dynamically.
 *
 *   ServerConfig -connect-stdio, connect-http-> Transport -handshake-> Session -> SdkConnection
 */

/** Mostly it is a program that waits for something itself. */
const START_HINT =
  "the program was started, but printed no response. A first 'npx' downloads the package, which may take long: run the " +
  "command once by hand, or allow more time with mcp.connectTimeoutMs. Of the environment it gets only what programs need " +
  "to run, and the variables for proxies and certificates: if it needs others, name them in the server's env";

/** When it throws, nothing is left running: a half-open session is closed first. */
export function connect(config: ServerConfig, options: ConnectOptions): Promise<Connection> {
  const message = `no response to the handshake within ${options.timeoutMs} ms`;
  const hint = config.type === "stdio" ? START_HINT : undefined;
  const isProgram = config.type === "stdio";
  const attributes = {
    "mcp.method.name": "initialize",
    "network.transport": isProgram ? "pipe" : "tcp",
    ...(isProgram && { "process.executable.name": basename(config.command) }),
  };
  return traced(
    () => ({ name: "initialize", kind: "client", attributes }),
    () =>
      withTimeout(options.timeoutMs, options.signal, { message: message, hint }, async (signal) => {
        const connection = isProgram
          ? await connectStdio(config, options, signal)
          : await connectHttp(config, options, signal);
        if (signal.aborted) await connection.close();
        signal.throwIfAborted();
        return connection;
      }),
  );
}
