import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { type EchoServer, listen, startEchoServer } from "./echo-server.ts";
import type { SharedPlaces } from "./places.ts";

/** What all cases share: the echo server at two origins, and the probe. */
export interface World {
  readonly places: SharedPlaces;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const servers: readonly EchoServer[] = [await startEchoServer(), await startEchoServer()];
  // Adapters must not read the environment of the process: no case ever sees this.
  process.env.CASE_LEAK = "leaked";
  return {
    places: {
      $HTTP: servers[0]!.origin,
      $HTTP2: servers[1]!.origin,
      $CLOSED: await closedOrigin(),
      $PROBE: fileURLToPath(new URL("./probe.cjs", import.meta.url)),
    },
    async stop() {
      delete process.env.CASE_LEAK;
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function closedOrigin(): Promise<string> {
  const server = createServer();
  const origin = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return origin;
}
