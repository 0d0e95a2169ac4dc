import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { eventStream, type ServerEvent } from "./sse.ts";

let server: Server | undefined;
let client: Socket | undefined;
afterEach(() => {
  client?.destroy();
  server?.close();
  server?.closeAllConnections();
});

/** A client that asks for the events and reads only when told to. */
async function open(events: AsyncIterable<ServerEvent>, pingMs: number): Promise<Socket> {
  server = createAdaptorServer({ fetch: () => eventStream(events, {}, pingMs) }) as Server;
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined).pause();
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return client;
}

describe("a stream of events", () => {
  it("prepares nothing for a client that does not read, and cuts it off in the end [A-slow]", async () => {
    let prepared = 0;
    let ended = false;
    async function* endless() {
      try {
        for (;;) {
          prepared++;
          yield { data: "x".repeat(64 * 1024) };
        }
      } finally {
        ended = true;
      }
    }
    await open(endless(), 50);
    await eventually(() => ended).toBe(true);
    // What fits into the sockets' own buffers, not what there would be to say.
    expect(prepared).toBeLessThan(500);
  });

  it("sends a comment now and then while there is nothing to say, for as long as it takes", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* patient() {
      await promise;
      yield { id: "1", event: "said", data: "at\nlast" };
    }
    const socket = await open(patient(), 20);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString())).resume();
    await eventually(() => text.split(": ping").length).toBeGreaterThan(12);
    resolve();
    await eventually(() => text).toContain("id: 1\nevent: said\ndata: at\ndata: last\n\n");
  });
});
