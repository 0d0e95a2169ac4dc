import { Server } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMcpEndpoint, type McpEndpointOptions } from "./endpoint.ts";

const SCHEMA = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
} as const;

/** A server with one tool, `wait`: it answers when `finish` is called, and reports progress if asked. */
function setUp(options: Partial<McpEndpointOptions> = {}) {
  const calls: { finish: () => void; signal: AbortSignal }[] = [];
  const newServer = () => {
    const server = new Server(
      { name: "test", version: "1" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler("tools/list", () => ({ tools: [{ name: "wait", inputSchema: SCHEMA }] }));
    server.setRequestHandler("tools/call", async (_, { mcpReq: { signal, _meta, notify } }) => {
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined)
        await notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      await new Promise<void>((finish) => calls.push({ finish, signal }));
      return { content: [{ type: "text" as const, text: "done" }] };
    });
    return server;
  };
  const errors: Error[] = [];
  const endpoint = createMcpEndpoint({
    newServer,
    inputSchemaOf: (tool) => (tool === "wait" ? SCHEMA : undefined),
    onError: (error) => errors.push(error),
    ...options,
  });
  const post = (
    body: object,
    { headers = {}, signal = undefined as AbortSignal | undefined, client = "a" } = {},
  ) => {
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(headers as Record<string, string>),
      },
      body: JSON.stringify(body),
      signal,
    });
    return endpoint.handle(request, { body, client });
  };
  return { endpoint, post, calls, errors };
}

const call = (params: object = {}, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "wait", arguments: {}, ...params },
});

const MODERN = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "wait",
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modernCall = (params: object = {}) => call({ _meta: META, ...params });

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe.each([
  ["2025", call(), {}],
  ["2026", modernCall(), MODERN],
])("a call of the %s protocol", (_, body, headers) => {
  test("[P-json] is answered with plain JSON, which has no limit on the size of an event", async () => {
    const { post, calls } = setUp();
    const response = post(body, { headers });
    await until(() => calls.length === 1);
    calls[0]!.finish();
    expect((await response).headers.get("content-type")).toMatch("application/json");
    expect(await (await response).json()).toMatchObject({ id: 1, result: { content: [{ text: "done" }] } });
  });

  test("[P-keep-alive] that takes five minutes becomes a stream with comments, so that clients go on waiting", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { post, calls } = setUp();
    const pending = post(body, { headers });
    await vi.advanceTimersByTimeAsync(302_000);
    const response = await pending;
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    calls[0]!.finish();
    const text = await response.text();
    // The first one after ten seconds, then one each ten seconds.
    expect(text.match(/^: keep-alive$/gm)).toHaveLength(30);
    const data = /^data: (.*)$/m.exec(text)![1]!;
    expect(JSON.parse(data)).toMatchObject({ id: 1, result: { content: [{ text: "done" }] } });
  });

  test("[P-keep-alive] that takes long and is given up by its client is cancelled", async () => {
    const { post, calls } = setUp({ keepAliveMs: 10 });
    const controller = new AbortController();
    await post(body, { headers, signal: controller.signal });
    expect(calls[0]!.signal.aborted).toBe(false);
    controller.abort();
    await until(() => calls[0]!.signal.aborted);
  });
});

test("[P-json] a call with a progress token is answered with a stream: progress, then the result", async () => {
  const { post, calls } = setUp();
  const response = await post(call({ _meta: { progressToken: "p" } }));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  await until(() => calls.length === 1);
  calls[0]!.finish();
  const text = await response.text();
  expect(text.indexOf("notifications/progress")).toBeLessThan(text.indexOf('"done"'));
});

describe("a session of the protocol before 2026", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const cancel = (requestId: number) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId },
  });

  test("[P-sessions] is not disturbed by more than a thousand newer ones while a call is in flight", async () => {
    const { post, calls } = setUp();
    const session = (await post(initialize)).headers.get("mcp-session-id")!;
    const response = post(call(), { headers: { "mcp-session-id": session } });
    await until(() => calls.length === 1);
    const ids = new Set<string | null>();
    for (let count = 0; count < 1100; count++)
      ids.add((await post(initialize)).headers.get("mcp-session-id"));
    expect(ids.size).toBe(1100);
    calls[0]!.finish();
    expect(await (await response).text()).toContain('"done"');
  });

  test("[P-sessions] cancels its own calls, which get an empty response, and no others", async () => {
    const { post, calls } = setUp();
    const mine = post(call({}, 5), { headers: { "mcp-session-id": "mine" } });
    const other = post(call({}, 5), { headers: { "mcp-session-id": "other" } });
    await until(() => calls.length === 2);
    expect((await post(cancel(5), { headers: { "mcp-session-id": "mine" } })).status).toBe(202);
    expect(await (await mine).text()).toBe("");
    expect(calls.map(({ signal }) => signal.aborted).sort()).toEqual([false, true]);
    for (const { finish } of calls) finish();
    expect(await (await other).text()).toContain('"done"');
  });
});

describe("streams", () => {
  const open = (endpoint: ReturnType<typeof setUp>["endpoint"], client: string, signal?: AbortSignal) =>
    endpoint.handle(
      new Request("http://localhost/mcp", { headers: { accept: "text/event-stream" }, signal }),
      { client },
    );

  test("[P-streams] one client cannot hold them all, and what it closes can be opened again", async () => {
    const { endpoint } = setUp({ listChanged: true });
    const controllers = Array.from({ length: 256 }, () => new AbortController());
    for (const { signal } of controllers) expect((await open(endpoint, "a", signal)).status).toBe(200);
    const refused = await open(endpoint, "a");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
    expect((await open(endpoint, "b")).status).toBe(200);
    controllers[0]!.abort();
    expect((await open(endpoint, "a")).status).toBe(200);
    await endpoint.close();
  });

  test("[P-streams] subscriptions of the 2026 protocol count too", async () => {
    const { endpoint, post } = setUp({ listChanged: true });
    for (let count = 0; count < 255; count++) await open(endpoint, "a");
    const listen = {
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: { _meta: META, notifications: { toolsListChanged: true } },
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const first = await post(listen, { headers });
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect((await post(listen, { headers })).status).toBe(503);
    expect((await post(listen, { headers, client: "b" })).status).toBe(200);
    await endpoint.close();
  });

  test("[P-priming] begin with an event id and the time to wait, for clients that know empty events", async () => {
    const { endpoint } = setUp({ listChanged: true });
    const headers = { accept: "text/event-stream", "mcp-protocol-version": "2025-11-25" };
    const openWith = (more: Record<string, string>) =>
      endpoint.handle(new Request("http://localhost/mcp", { headers: { ...headers, ...more } }), {
        client: "a",
      });
    const next = async (response: Response) => {
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      reader.releaseLock();
      return new TextDecoder().decode(value);
    };
    const first = await next(await openWith({}));
    expect(first).toMatch(/^id: \S+\nretry: 3000\ndata: \n\n$/);
    const id = /id: (\S+)/.exec(first)![1]!;
    // A change while the client was away is reported when it comes back; without a change nothing is sent.
    const unchanged = await openWith({ "last-event-id": id });
    expect(await next(unchanged)).toBe(first);
    endpoint.toolsChanged();
    expect(await next(unchanged)).toContain("notifications/tools/list_changed");
    const changed = await openWith({ "last-event-id": id });
    expect(await next(changed)).not.toBe(first);
    expect(await next(changed)).toContain("notifications/tools/list_changed");
    // An older client gets a comment: the headers are sent with the first bytes.
    const older = await openWith({ "mcp-protocol-version": "2025-06-18" });
    expect(await next(older)).toBe(": open\n\n");
    endpoint.toolsChanged();
    expect(await next(older)).toContain("notifications/tools/list_changed");
    await endpoint.close();
  });

  test("are not offered where the list never changes", async () => {
    expect((await open(setUp().endpoint, "a")).status).toBe(405);
  });
});

test("[P-batch] a batch of very many messages is refused before one of them is looked at", async () => {
  const { endpoint } = setUp();
  let looks = 0;
  const message = {
    jsonrpc: "2.0",
    get method() {
      looks += 1;
      return "notifications/cancelled";
    },
  };
  const send = (length: number) =>
    endpoint.handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: "-",
      }),
      { body: Array.from({ length }, () => message), client: "a" },
    );
  const refused = await send(100_000);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining("at most 100 messages") },
  });
  expect(looks).toBe(0);
  expect((await send(100)).status).toBe(202);
});

test("[P-param-headers] a header that differs from the arguments is refused with 400 and -32020", async () => {
  const { post, calls } = setUp();
  const body = modernCall({ arguments: { region: "eu" } });
  const refused = await post(body, { headers: { ...MODERN, "mcp-param-region": "us" } });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    id: 1,
    error: { code: -32_020, data: { mismatch: { header: "Mcp-Param-Region" } } },
  });
  expect(calls).toEqual([]);
  const served = post(body, { headers: { ...MODERN, "mcp-param-region": "eu" } });
  await until(() => calls.length === 1);
  calls[0]!.finish();
  expect((await served).status).toBe(200);
});

describe("a number that cannot be repeated exactly", () => {
  const LONG = 9007199254740993n;
  // As the reader of bodies has them: exactly, or from JSON.parse, which may have rounded it.
  test.each([
    ["the id", { ...call(), id: LONG }, '"id":9007199254740993'],
    ["an id that may have been rounded", { ...call(), id: Number(LONG) }, '"id":null'],
    ["the token of progress", call({ _meta: { progressToken: LONG } }), '"id":1'],
    ["one of a batch", [call(), { ...call(), id: LONG }], '"id":9007199254740993'],
  ])("is refused with what to do: %s", async (_, body, id) => {
    const { endpoint, calls } = setUp();
    const request = new Request("http://localhost/mcp", { method: "POST", headers: { accept: "*/*" } });
    const response = await endpoint.handle(request, { body, client: "a" });
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/json"]);
    expect(text).toContain('"code":-32600,"message":"Bad Request: ');
    expect(text).toContain(
      "is a number above 2^53, which is not held exactly: send a smaller one, or a string",
    );
    expect(text).toContain(id);
    expect(calls).toEqual([]);
  });
});
