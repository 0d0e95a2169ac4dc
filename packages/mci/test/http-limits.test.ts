import { describe, expect, test } from "vitest";
import { serve, serveRaw } from "../../../test/servers.ts";
import { until } from "../../../test/until.ts";
import type { Lookup } from "../src/execute/http/agent.ts";
import { openSession, textOf, tool } from "./http/harness.ts";

describe("the response limit", () => {
  test("[H-bomb] an announced length beyond it is refused without reading on", async () => {
    let sent = 0;
    const count = () => {
      sent += 64 * 1024;
    };
    const server = await serveRaw((socket) => {
      socket.on("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${4 * 1024 ** 3}\r\n\r\n`);
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024), count)) {}
          socket.once("drain", more);
        };
        more();
      });
    });
    const error = await (await tool({ url: server.url })).fail();
    expect(error.code).toBe("http_response_limit");
    expect(error.message).toContain("10485760 bytes");
    await until(async () => (await server.connections()) === 0, "the socket was destroyed");
    expect(sent).toBeLessThan(10 * 1024 * 1024);
  });

  test("[H-bomb] an endless answer is cut off at it, and memory stays bounded", async () => {
    const server = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) {}
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const made = await tool({ url: server.url });
    const error = await made.fail({ limits: { maxResponseBytes: 100_000 } });
    expect(error).toMatchObject({
      code: "http_response_limit",
      message: expect.stringContaining("100000 bytes"),
      metadata: { status_code: 200, attempts: 1 },
    });
    await until(async () => (await server.connections()) === 0, "the socket was destroyed");
  });

  test("[H-bomb] what just fits is fine", async () => {
    const server = await serve((_, response) => response.end("x".repeat(1000)));
    const made = await tool({ url: server.url });
    expect(textOf(await made.call({ limits: { maxResponseBytes: 1000 } }))).toHaveLength(1000);
    expect(await made.fail({ limits: { maxResponseBytes: 999 } })).toMatchObject({
      code: "http_response_limit",
    });
  });

  test("[H-bomb] is not tried again", async () => {
    let requests = 0;
    const server = await serve((_, response) => response.end("x".repeat(1000 * ++requests)));
    const made = await tool({ url: server.url, retries: { attempts: 3, backoff_ms: 1 } });
    await made.fail({ limits: { maxResponseBytes: 10 } });
    expect(requests).toBe(1);
  });

  test("[H-bomb] of an endless error only the beginning is read", async () => {
    const server = await serve((_, response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(64 * 1024))) {}
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const error = await (await tool({ url: server.url })).fail();
    expect(error).toMatchObject({ code: "http_status", metadata: { status_code: 500 } });
    expect(error.message.length).toBeLessThan(600);
    await until(async () => (await server.connections()) === 0, "the socket was destroyed");
  });
});

test("[H-bomb] a 3xx without a location is read whole", async () => {
  const server = await serve((_, response) => response.writeHead(300).end("x".repeat(200_000)));
  expect(textOf(await (await tool({ url: server.url })).call())).toHaveLength(200_000);
});

describe("lies on the wire", () => {
  const answer = (bytes: string) =>
    serveRaw((socket) => {
      socket.once("data", () => socket.end(bytes));
    });

  test.each([
    ["a body shorter than announced", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"],
    ["a chunk that never ends", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc"],
    ["no HTTP at all", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["nothing", ""],
    ["a length that is not one", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nx"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx"],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(10_000)}\r\n`],
  ])("[H-wire] %s is a network error", async (_, bytes) => {
    const server = await answer(bytes);
    const error = await (await tool({ url: `${server.url}/x?k=1` })).fail();
    expect(error.code).toBe("http_network");
    expect(error.message).toContain(`GET ${server.url}/x failed:`);
    expect(error.message).not.toContain("k=1");
  });

  test("[H-wire] bytes after the announced end are ignored", async () => {
    const server = await answer(
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: text/plain\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil",
    );
    const made = await tool({ url: server.url });
    const first = await made.call().then(textOf, (error: Error) => error.message);
    const second = await made.call().then(textOf, (error: Error) => error.message);
    expect(first).not.toContain("evil");
    expect(second).not.toContain("evil");
  });
});

describe("network errors", () => {
  test("[H-network] a port without a listener: says so, and what to do", async () => {
    const server = await serveRaw(() => {});
    await new Promise((resolve) => server.server.close(resolve));
    const error = await (await tool({ url: `${server.url}/a?k=1` })).fail();
    expect(error.code).toBe("http_network");
    expect(error.message).toBe(
      `GET ${server.url}/a failed: nothing listens there. Check the address and the port, and that the server is running (ECONNREFUSED).`,
    );
    expect(error.metadata).toMatchObject({ attempts: 1 });
    expect(error.metadata).not.toHaveProperty("status_code");
  });

  test("[H-network] an unknown host", async () => {
    const lookup: Lookup = (_, __, callback) =>
      callback(Object.assign(new Error(), { code: "ENOTFOUND" }), []);
    const made = await tool({ url: "http://nowhere.invalid/" }, openSession({ lookup }));
    const error = await made.fail();
    expect(error.code).toBe("http_network");
    expect(error.message).toContain("the host name does not exist. Check its spelling");
  });

  test("[H-network] https to a server that speaks http", async () => {
    const server = await serve((_, response) => response.end());
    const error = await (await tool({ url: `https://127.0.0.1:${server.port}/` })).fail();
    expect(error.code).toBe("http_network");
    expect(error.message).toContain("speaks https");
  });
});
