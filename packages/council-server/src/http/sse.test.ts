import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listen } from "../../../../test/servers.ts";
import { eventually } from "../../test/eventually.ts";
import { eventStream, type ServerEvent } from "./sse.ts";

let client: Socket | undefined;
const logged: string[] = [];
/** What the web server would print by itself. */
const printed = [vi.spyOn(console, "error"), vi.spyOn(console, "info")];
afterEach(() => {
  client?.destroy();
  logged.length = 0;
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

/** A client that asks for the events and reads only on demand. */
async function open(events: AsyncIterable<ServerEvent>, pingMs: number): Promise<Socket> {
  const server = createAdaptorServer({
    fetch: (_, { outgoing }) =>
      eventStream(events, { outgoing, pingMs, log: (message) => logged.push(message) }),
  }) as Server;
  const { port } = await listen(server);
  client = connect(port, "127.0.0.1");
  client.on("error", () => undefined).pause();
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return client;
}

describe("a stream of events", () => {
  it("applies backpressure to a client that does not read, and disconnects it in the end [A-slow]", async () => {
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
    expect(logged).toEqual(["stream: a client read nothing for 0.4 s; the connection was closed"]);
  });

  it("sends keep-alive comments while there are no events", async () => {
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

  it.each<[string, (client: Socket) => void]>([
    ["hangs up", (client) => client.destroy()],
    ["is torn away", (client) => client.resetAndDestroy()],
  ])("ends without an error when its client %s in the middle [A-cut]", async (_, leave) => {
    let ended = false;
    async function* steady() {
      try {
        for (;;) {
          yield { data: "on" };
          await new Promise((go) => setTimeout(go, 5));
        }
      } finally {
        ended = true;
      }
    }
    const socket = await open(steady(), 1000);
    socket.once("data", () => leave(socket)).resume();
    await eventually(() => ended).toBe(true);
    expect(logged).toEqual([]);
  });

  it("whose events fail is closed, with the reason in the log only", async () => {
    // biome-ignore lint/correctness/useYield: it fails first.
    async function* failing(): AsyncGenerator<ServerEvent> {
      throw new Error("the history is gone");
    }
    const socket = await open(failing(), 1000);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString())).resume();
    await eventually(() => socket.closed).toBe(true);
    expect(logged).toEqual([
      expect.stringContaining("stream: producing events failed: Error: the history is gone"),
    ]);
    expect(text).not.toContain("the history is gone");
  });
});
