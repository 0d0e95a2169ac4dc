import { text } from "node:stream/consumers";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { MCIClient } from "./index.ts";

const exporter = new InMemorySpanExporter();

/** The real SDK, registered for one test. */
beforeEach(() => {
  exporter.reset();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
});
afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

const spans = () => exporter.getFinishedSpans();
const named = (name: string) => spans().find((span) => span.name === name);

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

/** An MCP server over HTTP that remembers `_meta` of what it is called with. */
async function mcpServer() {
  const metas: Record<string, unknown>[] = [];
  const { url } = await serve(async (request, response) => {
    const body = await text(request);
    const message = body === "" ? {} : JSON.parse(body);
    if (message.id === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      },
      "tools/list": { tools: [{ name: "far", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "done" }] },
    };
    if (message.method === "tools/call") metas.push(message.params._meta ?? {});
    const result = results[message.method];
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        ...(result ? { result } : { error: { code: -32601, message: "Method not found" } }),
      }),
    );
  });
  return { metas, url: `${url}/mcp` };
}

test("[TRACE-spans] load, call, HTTP attempts and started programs are spans, nested as they run", async () => {
  let requests = 0;
  const { url } = await serve((_, response) => {
    requests++;
    response.writeHead(requests === 1 ? 503 : 200).end("ok");
  });
  const client = await MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      tools: [
        {
          name: "get",
          execution: {
            type: "http",
            url: `${url}/users/{{props.id}}`,
            params: { key: "{{env.KEY}}" },
            retries: { attempts: 2, backoff_ms: 1 },
          },
        },
        {
          name: "exit",
          execution: {
            type: "cli",
            command: process.execPath,
            args: ["-e", "process.exit(3)", "{{props.id}}"],
          },
        },
      ],
    },
    { env: { KEY: "s3cret-key" } },
  );
  expect(named("mci.load")?.attributes).toEqual({ "mci.tools": 2 });
  await client.execute("get", { id: "private-value" });
  await client.execute("exit", { id: "private-value" });
  await client.close();

  const call = named("execute_tool get")!;
  expect(call.kind).toBe(SpanKind.INTERNAL);
  expect(call.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "get",
    "mci.execution.type": "http",
  });
  const attempts = spans().filter(({ name }) => name === "GET");
  expect(
    attempts.map(({ kind, attributes }) => [
      kind,
      attributes["http.response.status_code"] ?? attributes["error.type"],
      attributes["http.request.resend_count"],
    ]),
  ).toEqual([
    [SpanKind.CLIENT, expect.anything(), undefined],
    [SpanKind.CLIENT, 200, 1],
  ]);
  for (const attempt of attempts) expect(attempt.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
  expect(attempts[0]!.status.code).toBe(SpanStatusCode.ERROR);
  const spawned = spans().find(({ name }) => name.startsWith("spawn "))!;
  expect(spawned.attributes).toMatchObject({ "process.exit.code": 3, "error.type": "exit" });
  expect(named("execute_tool exit")!.status.code).toBe(SpanStatusCode.ERROR);
  const written = JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  for (const secret of ["s3cret-key", "private-value"]) expect(written).not.toContain(secret);
});

test("[TRACE-context] a request to an MCP server carries the trace of the call, which continues that of its caller", async () => {
  const { metas, url } = await mcpServer();
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", mcp_servers: { s: { url } } });
  await client.execute("far", {}, { meta: { traceparent: PARENT, "example.com/other": 1 } });
  const parent = trace.getTracer("program").startSpan("agent");
  await context.with(trace.setSpan(context.active(), parent), () =>
    client.execute("far", {}, { meta: { traceparent: PARENT } }),
  );
  await client.close();

  const [first, second] = spans().filter(({ name }) => name === "tools/call far");
  expect(first!.kind).toBe(SpanKind.CLIENT);
  expect(first!.attributes).toMatchObject({
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "far",
    "network.transport": "tcp",
    "server.address": "127.0.0.1",
  });
  expect(first!.spanContext().traceId).toBe(TRACE);
  expect(metas[0]).toMatchObject({
    traceparent: `00-${TRACE}-${first!.spanContext().spanId}-01`,
    "example.com/other": 1,
  });
  // What runs in the program comes before what the options say.
  expect(second!.spanContext().traceId).toBe(parent.spanContext().traceId);
  expect(named("initialize")).toBeDefined();
  expect(named("tools/list")).toBeDefined();
});

test("[TRACE-spans] a variable in the name of a host is in no span", async () => {
  const tool = {
    name: "hook",
    execution: { type: "http", url: "http://{{env.TOKEN}}.localhost:9/", timeout_ms: 500 },
  };
  const server = { url: "http://{{env.TOKEN}}.localhost:9/mcp" };
  const client = await MCIClient.fromObject(
    { schemaVersion: "1.0", tools: [tool], mcp_servers: { s: server } },
    { env: { TOKEN: "s3cret-key" }, mcp: { connectTimeoutMs: 500 } },
  );
  await client.execute("hook");
  await client.close();
  const addresses = spans().flatMap(({ attributes }) => attributes["server.address"] ?? []);
  expect(new Set(addresses)).toEqual(new Set(["***.localhost"]));
});

test("[TRACE-none] without a registered SDK no span is made, and the trace context passes as it came", async () => {
  trace.disable();
  const { metas, url } = await mcpServer();
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", mcp_servers: { s: { url } } });
  await client.execute("far", {}, { meta: { traceparent: PARENT } });
  await client.close();
  expect(spans()).toEqual([]);
  expect(metas[0]).toMatchObject({ traceparent: PARENT });
});

test("[TRACE-content] arguments and results are recorded only where that is asked for, without secrets, and not without end", async () => {
  const document = {
    schemaVersion: "1.0",
    tools: [{ name: "say", execution: { type: "text", text: "{{props.a}} {{env.KEY}}" } }],
  };
  const quiet = await MCIClient.fromObject(document, { env: { KEY: "s3cret-key" } });
  await quiet.execute("say", { a: "visible" });
  expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain("visible");
  const client = await MCIClient.fromObject(document, { env: { KEY: "s3cret-key" }, traceContent: true });
  await client.execute("say", { a: `visible s3cret-key ${"x".repeat(20_000)}` });
  const { attributes } = spans().findLast(({ name }) => name === "execute_tool say")!;
  expect(attributes["gen_ai.tool.call.arguments"]).toContain("visible");
  expect(String(attributes["gen_ai.tool.call.result"]).length).toBeLessThan(10_100);
  expect(JSON.stringify(attributes)).not.toContain("s3cret-key");
});
