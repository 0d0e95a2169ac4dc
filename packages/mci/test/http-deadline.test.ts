import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { serve, serveRaw } from "../../../test/servers.ts";
import { until } from "../../../test/until.ts";
import type { Lookup } from "../src/execute/http/agent.ts";
import { type Execution, openSession, tool } from "./http/harness.ts";

/** Where a call may hang. */
const HANGS: Record<string, (at: { port: number; url: string }) => Execution> = {
  "before the headers": ({ url }) => ({ url: `${url}/silent` }),
  "inside the headers": ({ url }) => ({ url: `${url}/half` }),
  "inside the body": ({ url }) => ({ url: `${url}/drip` }),
  "inside an error's body": ({ url }) => ({ url: `${url}/drip-500` }),
  "in the TLS handshake": ({ port }) => ({ url: `https://127.0.0.1:${port}/` }),
  "after a redirect": ({ url }) => ({ url: `${url}/redirect` }),
  "at the token endpoint": ({ url }) => ({
    url,
    auth: {
      type: "oauth2",
      flow: "clientCredentials",
      tokenUrl: `${url}/silent`,
      clientId: "i",
      clientSecret: "s",
    },
  }),
  "between two attempts": ({ url }) => ({
    url: `${url}/503`,
    retries: { attempts: 5, backoff_ms: 100_000 },
    timeout_ms: 200_000,
  }),
};

/** A server that never finishes; one byte now and then keeps timers of silence from firing. */
async function hanging() {
  let touched = 0;
  const server = await serveRaw((socket) => {
    socket.once("data", (data) => {
      touched++;
      const path = data.toString("latin1").split(" ")[1];
      const drip = () => void setInterval(() => socket.write("x"), 20).unref();
      if (path === "/half") socket.write("HTTP/1.1 200 OK\r\ncontent-");
      if (path === "/drip") socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
      if (path === "/drip-500") socket.write("HTTP/1.1 500 No\r\ncontent-length: 1000000\r\n\r\n");
      if (path?.startsWith("/drip")) drip();
      if (path === "/redirect")
        socket.write(
          "HTTP/1.1 302 Found\r\nlocation: /silent\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
        );
      if (path === "/503") socket.write("HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n");
    });
  });
  return { ...server, touched: () => touched };
}

describe("timeout_ms", () => {
  test.each(Object.keys(HANGS).filter((name) => name !== "between two attempts"))(
    "[H-deadline] ends a call that hangs %s, and its socket",
    async (name) => {
      const server = await hanging();
      const made = await tool({ ...HANGS[name]!(server), timeout_ms: 150 });
      const start = performance.now();
      const error = await made.fail();
      const took = performance.now() - start;
      expect(error.code).toBe("http_timeout");
      expect(error.message.split("\n")[0]).toBe("Connection timeout after 150ms");
      expect(error.metadata).toMatchObject({ attempts: 1, execution_time_ms: expect.any(Number) });
      expect(took).toBeGreaterThan(145);
      expect(took).toBeLessThan(2000);
      await until(async () => (await server.connections()) === 0, "all sockets closed");
    },
  );

  test("[H-deadline] ends a call whose name server is silent", async () => {
    const silent = await tool(
      { url: "http://slow.example/", timeout_ms: 60 },
      openSession({ lookup: () => {} }),
    );
    expect(await silent.fail()).toMatchObject({ code: "http_timeout" });
  });

  test("[H-deadline] even one that falls silent between two hops", async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { location: "http://other.example/" }).end(),
    );
    let lookups = 0;
    const lookup: Lookup = (_, __, callback) => {
      if (lookups++ === 0) callback(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const made = await tool(
      { url: `http://slow.example:${server.port}/`, timeout_ms: 100 },
      openSession({ lookup }),
    );
    expect(await made.fail()).toMatchObject({ code: "http_timeout" });
  });

  test("[H-deadline] says where, without the query", async () => {
    const server = await hanging();
    const error = await (await tool({ url: `${server.url}/silent?key=k`, timeout_ms: 50 })).fail();
    expect(error.message).toContain(`GET ${server.url}/silent did not finish`);
    expect(error.message).not.toContain("key=k");
  });

  test.each([
    ["/silent", /connected and sent, but no response after \d+ms/],
    ["/drip", /the response began, but was not complete after \d+ms/],
  ])("[H-deadline] says what it waited for: %s", async (path, words) => {
    const server = await hanging();
    const made = await tool({ url: server.url + path, timeout_ms: 150 });
    expect((await made.fail()).message).toMatch(words);
  });

  test("[H-deadline] says that there was no connection", async () => {
    const made = await tool(
      { url: "http://slow.example/", timeout_ms: 60 },
      openSession({ lookup: () => {} }),
    );
    expect((await made.fail()).message).toMatch(/no connection after \d+ms/);
  });

  test("[H-deadline] counts all attempts together", async () => {
    const server = await serve((_, response) => void setTimeout(() => response.writeHead(503).end(), 50));
    const made = await tool({ url: server.url, timeout_ms: 400, retries: { attempts: 1000, backoff_ms: 0 } });
    const start = performance.now();
    const error = await made.fail();
    expect(performance.now() - start).toBeLessThan(3000);
    // A response that arrives at the very end leaves no time for another attempt, and is the error itself.
    expect(["http_timeout", "http_status"]).toContain(error.code);
    expect(error.metadata["attempts"]).toBeLessThan(9);
  });

  test("[H-deadline] is never slept over: where the wait would be too long, the error comes now", async () => {
    const server = await serve((_, response) => response.writeHead(503).end());
    const made = await tool({
      url: server.url,
      timeout_ms: 15_000,
      retries: { attempts: 3, backoff_ms: 60_000 },
    });
    const start = performance.now();
    expect(await made.fail()).toMatchObject({ code: "http_status", metadata: { attempts: 1 } });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test("[H-deadline] may be a template, and 0 or nothing means 30 seconds", async () => {
    const server = await hanging();
    const templated = await tool({ url: `${server.url}/silent`, timeout_ms: "{{env.MS}}" });
    expect((await templated.fail({ env: { MS: "60" } })).message).toContain("after 60ms");
    expect(await templated.fail({ env: { MS: "soon" } })).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("timeout_ms"),
    });
    const ok = await serve((_, response) => response.end("ok"));
    expect((await (await tool({ url: ok.url, timeout_ms: 0 })).call()).metadata).toMatchObject({
      status_code: 200,
    });
  });
});

describe("the caller's signal", () => {
  test.each(Object.keys(HANGS))("[H-abort] ends a call that hangs %s, and its socket", async (name) => {
    const server = await hanging();
    const made = await tool(HANGS[name]!(server));
    const controller = new AbortController();
    const failing = made.fail({ signal: controller.signal });
    await until(() => server.touched() > 0, "the request arrived");
    setTimeout(() => controller.abort(), 20);
    expect(await failing).toMatchObject({ code: "aborted", metadata: { attempts: 1 } });
    if (name !== "between two attempts")
      await until(async () => (await server.connections()) === 0, "all sockets closed");
  });

  test("[H-abort] before anything was sent nothing is", async () => {
    const server = await hanging();
    const error = await (await tool({ url: server.url })).fail({ signal: AbortSignal.abort() });
    expect(error.code).toBe("aborted");
    expect(await server.connections()).toBe(0);
  });

  test("[H-abort] of one call leaves the others alone, even while all are connecting", async () => {
    const server = await serve((_, response) => response.end("ok"));
    const made = await tool({ url: server.url });
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, (_, i) => made.call(i % 2 ? { signal: controller.signal } : {}));
    controller.abort();
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? "rejected" : "fulfilled")),
    );
  });

  test("leaves no listener behind", async () => {
    const server = await serve((_, response) => response.end("ok"));
    const made = await tool({ url: server.url });
    const { signal } = new AbortController();
    for (let i = 0; i < 5; i++) await made.call({ signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
