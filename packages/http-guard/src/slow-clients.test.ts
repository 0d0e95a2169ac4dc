import { createServer, type RequestListener, type ServerOptions } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../test/servers.ts";
import { limitSlowClients, SLOW_REQUEST_TIMEOUTS, type SlowClientLimits } from "./slow-clients.ts";

async function start(respond: RequestListener, limits: SlowClientLimits, options: ServerOptions = {}) {
  const server = createServer({ ...SLOW_REQUEST_TIMEOUTS, ...options }, respond);
  limitSlowClients(server, limits);
  const { url, port } = await listen(server);
  return {
    port,
    server,
    get: () => fetch(url, { headers: { connection: "close" } }),
  };
}

/** A connection that has sent `text`, and when it was closed. */
async function open(port: number, text: string): Promise<{ socket: Socket; closed: Promise<void> }> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.resume();
  socket.write(text);
  return { socket, closed };
}

test("[G-slow] a client that sends its headers or its body byte by byte is disconnected", async () => {
  const { port, get } = await start(
    (request, response) => request.resume().on("end", () => response.end("ok")),
    {},
    { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 },
  );
  const silent = await open(port, "");
  const slowHeaders = await open(port, "GET / HTTP/1.1\r\nHost: x\r\n");
  const slowBody = await open(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
  const drip = setInterval(() => {
    slowHeaders.socket.write("X");
    slowBody.socket.write("x");
  }, 50);
  onTestFinished(() => clearInterval(drip));
  expect(await (await get()).text()).toBe("ok");
  await Promise.all([silent.closed, slowHeaders.closed, slowBody.closed]);
});

test("[G-slow] slow clients that hold all connections give way to newcomers, and those that are served do not", async () => {
  const served: (() => void)[] = [];
  const { port, server, get } = await start(
    (request, response) => {
      if (request.url === "/stream") {
        response.write("begun\n");
        served.push(() => response.end("done\n"));
      } else request.resume().on("end", () => response.end("ok"));
    },
    { maxConnections: 20 },
  );
  const stream = await open(port, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  let received = "";
  stream.socket.on("data", (chunk) => (received += chunk));
  await expect.poll(() => received).toContain("begun");
  const slow: Awaited<ReturnType<typeof open>>[] = [];
  for (let i = 0; i < 60; i++)
    slow.push(
      await open(
        port,
        i % 2 ? "GET / HTTP/1.1\r\nHo" : "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
      ),
    );
  for (let i = 0; i < 5; i++) expect(await (await get()).text()).toBe("ok");
  await slow[0]!.closed;
  const count = await new Promise<number>((resolve, reject) =>
    server.getConnections((error, n) => (error ? reject(error) : resolve(n))),
  );
  expect(count).toBeLessThanOrEqual(20);
  served[0]!();
  await expect.poll(() => received).toContain("done");
});

test("[G-slow] a client that does not read is disconnected, and what waits for it is freed", async () => {
  const chunk = "x".repeat(1024 * 1024);
  const { port, server, get } = await start(
    (request, response) => {
      if (request.url === "/") return response.end("ok");
      for (let i = 0; i < (request.url === "/huge" ? 40 : 12); i++) response.write(chunk);
      return response.end();
    },
    { stallMs: 300, checkMs: 50 },
  );
  for (const path of ["/large", "/huge"]) {
    const { socket, closed } = await open(port, "");
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))), {
        timeout: 10_000,
      })
      .toBe(0);
    socket.resume();
    await closed;
  }
  expect(await (await get()).text()).toBe("ok");
});

test("[G-slow] a client that reads slowly, and a stream that says nothing, stay connected", async () => {
  const { port } = await start(
    (request, response) => {
      response.write("begun\n");
      if (request.url === "/quiet") setTimeout(() => response.end("done\n"), 5000);
      else response.end(`${"x".repeat(8 * 1024 * 1024)}done\n`);
    },
    // Both take longer than this, and no pause of the reader does, also on a busy machine.
    { stallMs: 4000, checkMs: 50 },
  );
  const read = async (path: string, pauseMs: number) => {
    const { socket, closed } = await open(port, "");
    let tail = "";
    socket.on("data", (data) => {
      tail = (tail + data.toString("latin1")).slice(-200);
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await closed;
    return tail;
  };
  // 8 MiB in pieces of 64 KiB at most: at least 128 pauses.
  for (const tail of await Promise.all([read("/quiet", 5), read("/large", 50)]))
    expect(tail).toContain("done");
}, 60_000);
