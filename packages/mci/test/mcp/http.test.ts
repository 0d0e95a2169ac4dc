import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMPILE_CACHE } from "../../../../test/programs/programs.ts";
import { freePort } from "../../../../test/servers.ts";
import { until } from "../../../../test/until.ts";
import { connect } from "../../src/mcp/connect.ts";
import type { Connection } from "../../src/mcp/connection.ts";
import type { HttpConfig } from "../../src/mcp/server-config.ts";
import { createWorkbench } from "./servers/workbench.ts";
import { failure, listen, npmServer, stop, textOf } from "./support.ts";

const SOON = { timeoutMs: 15_000 };

async function open(config: HttpConfig, timeoutMs = 15_000): Promise<Connection> {
  const connection = await connect(config, { timeoutMs, maxMessageBytes: 1_000_000 });
  onTestFinished(() => connection.close());
  return connection;
}

/** An older server that keeps sessions, and can forget them. */
function sessionful(create = createWorkbench) {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(String(id));
    if (known) return known.handleRequest(request, response);
    if (id !== undefined) return response.writeHead(404).end("Session not found");
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await create().connect(transport);
    await transport.handleRequest(request, response);
  };
  return { sessions, handle };
}

/** A server of the oldest kind, whose responses come on one stream of events; its tool "text" returns one of any size, others never respond. */
function sse(): RequestListener {
  let events: ServerResponse | undefined;
  return async (request, response) => {
    if (request.method === "GET") {
      events = response.writeHead(200, { "content-type": "text/event-stream" });
      events.write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    response.writeHead(202).end();
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { protocolVersion, name, arguments: { size } = {} } = params ?? {};
    const results: Record<string, object> = {
      initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
      ...(name === "text" && { "tools/call": { content: [{ type: "text", text: "x".repeat(size) }] } }),
    };
    if (results[method])
      events?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: results[method] })}\n\n`);
  };
}

/** server-everything over HTTP, on a free port. */
async function everything(mode: "streamableHttp" | "sse"): Promise<string> {
  const port = await freePort();
  const { command, args = [] } = npmServer("everything", mode);
  const child = spawn(command, args, {
    env: { ...COMPILE_CACHE, PATH: process.env["PATH"], PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  await until(() => /port/i.test(printed), "the server listens");
  return `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`;
}

describe("a session over HTTP", () => {
  test.each(["streamableHttp", "sse"] as const)(
    "works with a server from npm over %s; type sse goes to the older transport at once [M-http]",
    async (mode) => {
      const url = await everything(mode);
      // The SSE server answers 404 to the newer transport, and is understood all the same.
      const connection = await open({ type: "http", url });
      expect((await connection.listTools(SOON)).length).toBeGreaterThan(5);
      expect(textOf(await connection.callTool("echo", { message: "hi" }, SOON))).toBe("Echo: hi");
      const seen: number[] = [];
      const onProgress = ({ progress }: { progress: number }) => void seen.push(progress);
      await connection.callTool(
        "trigger-long-running-operation",
        { duration: 0.2, steps: 2 },
        { ...SOON, onProgress },
      );
      expect(seen).toContain(1);
      if (mode !== "sse") return;
      const older = await open({ type: "sse", url });
      expect(textOf(await older.callTool("echo", { message: "hi" }, SOON))).toBe("Echo: hi");
    },
  );

  test.each(["stateless", "reject"] as const)(
    "works with the newer protocol; older clients: %s [M-eras]",
    async (legacy) => {
      const handler = createMcpHandler(createWorkbench, { legacy });
      onTestFinished(() => handler.close());
      const { url, requests } = await listen(toNodeHandler(handler));
      const connection = await open({ type: "http", url });
      expect(textOf(await connection.callTool("echo", { text: "hi" }, SOON))).toBe("hi");
      expect(requests.at(-1)?.headers["mcp-protocol-version"]).toBe("2026-07-28");
      expect(requests.at(-1)?.headers["mcp-session-id"]).toBeUndefined();
    },
  );

  test("works with an older server that keeps sessions, and ends its session [M-eras]", async () => {
    const { sessions, handle } = sessionful();
    const { url } = await listen(handle);
    const connection = await open({ type: "http", url });
    expect(textOf(await connection.callTool("echo", { text: "hi" }, SOON))).toBe("hi");
    expect(sessions.size).toBe(1);
    await connection.close();
    expect(sessions.size).toBe(0);
  });

  test("sends its headers with every request [M-headers]", async () => {
    const handler = toNodeHandler(createMcpHandler(createWorkbench));
    const { url, requests } = await listen((request, response) => {
      if (request.headers.authorization === "Bearer token") return handler(request, response);
      response.writeHead(401, "Unauthorized").end("Who are you?");
    });
    const connection = await open({ type: "http", url, headers: { Authorization: "Bearer token" } });
    expect(textOf(await connection.callTool("echo", { text: "hi" }, SOON))).toBe("hi");
    expect(requests.every(({ headers }) => headers.authorization === "Bearer token")).toBe(true);

    const error = await failure(open({ type: "http", url }));
    expect(error).toMatchObject({ kind: "unavailable", message: expect.stringContaining("401") });
  });

  test.each([
    ["ftp://example.com", "the url must start with http:// or https://, got 'ftp://example.com'"],
    ["example.com/mcp", "the url must start with http:// or https://, got 'example.com/mcp'"],
  ])("to nowhere fails with the reason: %s [M-start]", async (url, message) => {
    expect(await failure(open({ type: "http", url }))).toMatchObject({ kind: "unavailable", message });
  });

  test("to a port without a listener fails with the reason [M-start]", async () => {
    const port = await freePort();
    const error = await failure(open({ type: "http", url: `http://127.0.0.1:${port}/mcp` }));
    expect(error).toMatchObject({ kind: "unavailable", message: `connect ECONNREFUSED 127.0.0.1:${port}` });
  });

  test.each(["http", "sse"] as const)("that never answers is given up: %s [M-pages]", async (type) => {
    const { url } = await listen(() => {});
    const error = await failure(open({ type, url }, 500));
    expect(error).toMatchObject({ kind: "timeout", message: "no response to the handshake within 500 ms" });
  });

  test("to something else reports the proper transport's answer [M-start]", async () => {
    const { url } = await listen((_, response) => response.writeHead(404, "Not Found").end("nothing here"));
    expect(await failure(open({ type: "http", url }))).toMatchObject({
      kind: "unavailable",
      message: "the server responded with 404 Not Found: nothing here",
    });
  });
});

describe("a call over HTTP", () => {
  test("that a restarted server does not know the session of was not done, and may be repeated [M-crash]", async () => {
    const { sessions, handle } = sessionful();
    const { url } = await listen(handle);
    const connection = await open({ type: "http", url });
    sessions.clear();
    expect(await failure(connection.callTool("echo", {}, SOON))).toMatchObject({ kind: "not_sent" });
  });

  test("to a server that is gone was not sent [M-crash]", async () => {
    const { url, server } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    const connection = await open({ type: "http", url });
    await stop(server);
    expect(await failure(connection.callTool("echo", {}, SOON))).toMatchObject({ kind: "not_sent" });
  });

  test.each(["modern", "legacy"])(
    "whose answer breaks off is lost, long before its deadline [M-crash] (%s)",
    async (era) => {
      const handler = toNodeHandler(
        createMcpHandler(createWorkbench, { responseMode: "sse", keepAliveMs: 10 }),
      );
      const { handle } = sessionful();
      const { url, server } = await listen(era === "modern" ? handler : handle);
      const connection = await open({ type: "http", url });
      const call = failure(connection.callTool("wait", { ms: 60_000 }, { timeoutMs: 60_000 }));
      const cut = setInterval(() => server.closeAllConnections(), 300);
      onTestFinished(() => clearInterval(cut));
      expect(await call).toMatchObject({
        kind: "connection_lost",
        message: expect.stringContaining("may have taken effect"),
      });
    },
  );

  test("over SSE is lost when the stream ends, and the session with it [M-crash]", async () => {
    const { url, server, requests } = await listen(sse());
    const connection = await open({ type: "sse", url });
    const before = requests.length;
    const call = failure(connection.callTool("wait", {}, SOON));
    await until(() => requests.length > before, "the call arrives");
    await stop(server);
    expect(await call).toMatchObject({ kind: "connection_lost" });
    await connection.closed;
    expect(await failure(connection.callTool("echo", {}, SOON))).toMatchObject({ kind: "not_sent" });
  });

  test.each(["modern", "legacy"])(
    "that is cancelled reaches the server as such [M-pages] (%s)",
    async (era) => {
      let cancelled = 0;
      const create = () => {
        const server = createWorkbench();
        server.setRequestHandler("tools/call", (_, { mcpReq }) => {
          return new Promise((resolve) => {
            mcpReq.signal.addEventListener("abort", () => {
              cancelled += 1;
              resolve({ content: [] });
            });
          });
        });
        return server;
      };
      const { sessions, handle } = sessionful(create);
      const handler = toNodeHandler(createMcpHandler(create));
      const { url, requests } = await listen(era === "modern" ? handler : handle);
      const connection = await open({ type: "http", url });
      const controller = new AbortController();
      const before = requests.length;
      const call = failure(connection.callTool("wait", {}, { ...SOON, signal: controller.signal }));
      await until(() => requests.length > before, "the call arrives");
      await new Promise((resolve) => setTimeout(resolve, 100));
      controller.abort();
      expect((await call).kind).toBe("aborted");
      await until(() => cancelled === 1, "the server hears of it");
      expect(sessions.size).toBe(era === "modern" ? 0 : 1);
    },
  );

  test("whose answer is beyond the limit fails [M-limit]", async () => {
    const { url } = await listen(
      toNodeHandler(createMcpHandler(createWorkbench, { maxRequestBodySize: 10_000_000 })),
    );
    const connection = await open({ type: "http", url });
    expect((await failure(connection.callTool("echo", { text: "x".repeat(2_000_000) }, SOON))).kind).toBe(
      "connection_lost",
    );
    expect(textOf(await connection.callTool("echo", { text: "still there" }, SOON))).toBe("still there");
  });

  test.each(["application/json", "text/event-stream"])(
    "whose answer is beyond the limit only once it is unpacked fails too: %s [M-limit]",
    async (type) => {
      const handler = toNodeHandler(createMcpHandler(createWorkbench));
      let isPacking = false;
      const { url } = await listen(async (request, response) => {
        if (!isPacking) return handler(request, response);
        const { id } = JSON.parse(Buffer.concat(await request.toArray()).toString());
        const content = [{ type: "text", text: "x".repeat(5_000_000) }];
        const result = { resultType: "complete", content };
        const text = JSON.stringify({ jsonrpc: "2.0", id, result });
        response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
        response.end(gzipSync(type === "application/json" ? text : `data: ${text}\n\n`));
      });
      const connection = await open({ type: "http", url });
      isPacking = true;
      expect((await failure(connection.callTool("echo", {}, SOON))).kind).toBe("connection_lost");
      isPacking = false;
      expect(textOf(await connection.callTool("echo", { text: "still there" }, SOON))).toBe("still there");
    },
  );

  test.each(["first listed", "never listed"])(
    "has in its headers what the server wants there, of tools that were %s [M-headers]",
    async (order) => {
      let lists = 0;
      const create = () => {
        const server = createWorkbench();
        server.setRequestHandler("tools/list", () => {
          lists += 1;
          const region = { type: "string" as const, "x-mcp-header": "Region" };
          const inputSchema = { type: "object" as const, properties: { region } };
          // It announces an output that it does not return.
          const outputSchema = { type: "object" as const, required: ["sum"] };
          return { tools: [{ name: "greet", inputSchema, outputSchema }] };
        });
        return server;
      };
      const handler = toNodeHandler(createMcpHandler(create));
      const { url } = await listen(async (request, response) => {
        const isCall = request.headers["mcp-method"] === "tools/call";
        if (!isCall || request.headers["mcp-param-region"] === "eu") return handler(request, response);
        const { id } = JSON.parse(Buffer.concat(await request.toArray()).toString());
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_020, message: "no region" } }));
      });
      const connection = await open({ type: "http", url });
      if (order === "first listed") await connection.listTools(SOON);
      for (const name of ["Ada", "Grace"])
        expect(textOf(await connection.callTool("greet", { name, region: "eu" }, SOON))).toBe(
          `Hello ${name}`,
        );
      expect(lists).toBe(1);
    },
  );

  test("over SSE whose answer is beyond the limit is lost, and so is the session [M-limit]", async () => {
    const { url } = await listen(sse());
    const connection = await open({ type: "sse", url });
    for (const size of [10, 900_000, 900_000])
      expect(textOf(await connection.callTool("text", { size }, SOON))).toHaveLength(size);
    expect((await failure(connection.callTool("text", { size: 1_100_000 }, SOON))).kind).toBe(
      "connection_lost",
    );
    await connection.closed;
  });

  test("that finds the session closed was not sent [M-crash]", async () => {
    const { url } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    const connection = await open({ type: "http", url });
    const call = failure(connection.callTool("echo", {}, SOON));
    await connection.close();
    expect(["not_sent", "connection_lost"]).toContain((await call).kind);
    expect((await failure(connection.callTool("echo", {}, SOON))).kind).toBe("not_sent");
  });

  test("with what JSON cannot say is refused, and the session lives on [M-unwritable]", async () => {
    const { url } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    const connection = await open({ type: "http", url });
    expect(await failure(connection.callTool("echo", { text: 5n }, SOON))).toMatchObject({
      kind: "refused",
      message: "the arguments cannot be written as JSON: Do not know how to serialize a BigInt",
    });
    expect(textOf(await connection.callTool("echo", { text: "hi" }, SOON))).toBe("hi");
  });

  test("that asks for input again and again ends at its deadline [M-pages]", async () => {
    let calls = 0;
    const create = () => {
      const server = createWorkbench();
      server.setRequestHandler("tools/call", () => {
        calls += 1;
        return { resultType: "input_required", requestState: "later" } as never;
      });
      return server;
    };
    const { url } = await listen(toNodeHandler(createMcpHandler(create)));
    const connection = await open({ type: "http", url });
    expect(await failure(connection.callTool("echo", {}, { timeoutMs: 1000 }))).toMatchObject({
      kind: "timeout",
      message: "no response within 1000 ms",
    });
    expect(calls).toBeGreaterThan(1);
  });

  test("to a broken server carries the status [M-refused]", async () => {
    const handler = toNodeHandler(createMcpHandler(createWorkbench));
    let isBroken = false;
    const { url } = await listen((request, response) => {
      if (!isBroken) return handler(request, response);
      response.writeHead(503, "Service Unavailable").end("<html>later</html>");
    });
    const connection = await open({ type: "http", url });
    isBroken = true;
    expect(await failure(connection.callTool("echo", {}, SOON))).toMatchObject({
      kind: "refused",
      message: "the server responded with 503 Service Unavailable: <html>later</html>",
    });
  });

  test("does not follow a redirect to another origin with its headers [M-redirect]", async () => {
    const other = await listen((_, response) => void response.end());
    const { url } = await listen((_, response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    const { message } = await failure(
      open({ type: "http", url, headers: { Authorization: "Bearer token" } }),
    );
    expect(other.requests).toEqual([]);
    expect(message).toMatch(
      /^the server responded with 307 Temporary Redirect: Redirect to http:\S+ not followed; use that URL as the endpoint if it is the intended server$/,
    );
  });
});
