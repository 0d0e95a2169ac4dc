import type { CallToolResult } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { LiteMcpClient, MCIClientError } from "../../src/index.ts";
import { createWorkbench } from "./servers/workbench.ts";
import { listen, npmServer, ownServer, pids, serverWithLog, temporaryDirectory, textOf } from "./support.ts";

const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("should throw"),
    (error: MCIClientError) => error,
  );

describe("LiteMcpClient", () => {
  test("talks to a server that is a program, and ends it [M-lite]", async () => {
    const { config, log } = ownServer("stdio");
    {
      await using mcp = await LiteMcpClient.connect({ server: config });
      expect(await mcp.listTools()).toContain("greet");
      expect(textOf(await mcp.callTool("greet", { name: "Ada" }))).toBe("Hello Ada");
      expect((await mcp.callTool("fail")).isError).toBe(true);
      // The SDK's type fits too, so that it can be passed on to a server made with the SDK.
      const structured: CallToolResult = await mcp.callTool("structured");
      expect(structured).toMatchObject({ structuredContent: { sum: 3 } });
    }
    expect(pids(log()).filter(isAlive)).toEqual([]);
  });

  test("infers the type of a server from its command or url, as a file does [M-lite]", async () => {
    const { type: _, ...program } = ownServer("stdio").config as { type: string; command: string };
    await using started = await LiteMcpClient.connect({ server: program });
    expect(await started.listTools()).toContain("greet");
    const { url } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    await using reached = await LiteMcpClient.connect({ server: { url } });
    expect(await reached.listTools()).toContain("greet");
    for (const server of [{}, { command: "a", url: "b" }])
      expect(() => new LiteMcpClient({ server: server as never })).toThrow("server.type must be");
  });

  test("talks to a server from npm [M-lite]", async () => {
    const memory = npmServer("memory");
    const env = { ...memory.env, MEMORY_FILE_PATH: `${temporaryDirectory()}/memory.jsonl` };
    await using mcp = await LiteMcpClient.connect({ server: { ...memory, env } });
    expect(await mcp.listTools()).toContain("create_entities");
    const Ada = { name: "Ada", entityType: "person", observations: ["counts"] };
    await mcp.callTool("create_entities", { entities: [Ada] });
    expect(textOf(await mcp.callTool("read_graph"))).toContain("counts");
  });

  test("talks to a server at an address, with headers [M-lite]", async () => {
    const { url, requests } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    await using mcp = await LiteMcpClient.connect({
      server: { type: "http", url, headers: { "X-Key": "k" } },
    });
    expect(textOf(await mcp.callTool("echo", { text: "hi" }))).toBe("hi");
    expect(requests.every(({ headers }) => headers["x-key"] === "k")).toBe(true);
  });

  test("lists the tools of all pages [M-pages]", async () => {
    await using mcp = await LiteMcpClient.connect({ server: ownServer("pages").config });
    expect(await mcp.listTools()).toHaveLength(250);
  });

  test("cannot be used before connecting, after closing, or connected twice [M-lite-misuse]", async () => {
    const mcp = new LiteMcpClient({ server: ownServer("stdio").config });
    const before = await thrown(mcp.listTools());
    expect(before).toBeInstanceOf(MCIClientError);
    expect(before).toMatchObject({
      code: "mcp_session",
      message: expect.stringContaining("Session not initialized"),
    });
    await mcp.connect();
    expect(await thrown(mcp.connect())).toMatchObject({ code: "mcp_session" });
    expect(await mcp.listTools()).toContain("echo");
    await mcp.close();
    await mcp.close();
    expect(await thrown(mcp.callTool("echo"))).toMatchObject({
      code: "mcp_session",
      message: expect.stringContaining("closed"),
    });
  });

  test("that is closed while it connects, or connected twice, leaves no server behind [M-orphans]", async () => {
    const { config, log } = ownServer("stdio");
    const early = new LiteMcpClient({ server: config });
    const connecting = thrown(early.connect());
    await early.close();
    expect(await connecting).toMatchObject({
      code: "mcp_session",
      message: expect.stringContaining("closed"),
    });
    expect(await thrown(early.connect())).toMatchObject({ code: "mcp_session" });

    const silent = ownServer("wordless.sh", "silent");
    const waiting = new LiteMcpClient({ server: silent.config });
    const started = thrown(waiting.connect());
    await until(() => silent.log().length > 0, "the server starts");
    await waiting.close();
    expect(await started).toMatchObject({ code: "mcp_session" });
    expect(pids(silent.log()).filter(isAlive)).toEqual([]);

    const twice = new LiteMcpClient({ server: config });
    const first = twice.connect();
    expect(await thrown(twice.connect())).toMatchObject({ code: "mcp_session" });
    expect(await thrown(twice.listTools())).toMatchObject({
      message: expect.stringContaining("not initialized"),
    });
    await first;
    expect(await twice.listTools()).toContain("echo");
    await twice.close();
    expect(pids(log()).filter(isAlive)).toEqual([]);
  });

  test("may be connected again after it could not", async () => {
    const mcp = new LiteMcpClient({ server: ownServer("wordless.sh", "broken").config });
    expect(await thrown(mcp.connect())).toMatchObject({ code: "mcp_server_failed" });
    expect(await thrown(mcp.connect())).toMatchObject({ code: "mcp_server_failed" });
  });

  test("gives up after its timeout, in milliseconds", async () => {
    const { config, log } = ownServer("wordless.sh", "silent");
    const error = await thrown(LiteMcpClient.connect({ server: config, requestTimeout: 300 }));
    expect(error).toMatchObject({
      code: "mcp_server_failed",
      message: "Failed to connect to the MCP server: no response to the handshake within 300 ms",
    });
    expect(pids(log()).filter(isAlive)).toEqual([]);
  });

  test("says when the server has gone [M-crash]", async () => {
    const { config, log } = ownServer("stdio");
    await using mcp = await LiteMcpClient.connect({ server: config });
    process.kill(pids(log())[0]!, "SIGKILL");
    await until(() => !isAlive(pids(log())[0]!), "the server is gone");
    expect(await thrown(mcp.callTool("echo"))).toMatchObject({
      code: "mcp_server_failed",
      message: expect.stringContaining("SIGKILL"),
    });
  });

  test.each<[unknown, string]>([
    [undefined, "server.type"],
    [{ server: { type: "telnet" } }, "server.type"],
    [{ server: { type: "stdio" } }, "server.command"],
    [{ server: { type: "http", url: "" } }, "server.url"],
    [{ server: { type: "stdio", command: "x" }, requestTimeout: 0 }, "requestTimeout"],
  ])("refuses a configuration that cannot work: %j [M-lite-misuse]", (config, words) => {
    expect(() => new LiteMcpClient(config as never)).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(words) }),
    );
  });
});

describe("a call of LiteMcpClient", () => {
  // One session for all: no call depends on another.
  let mcp: LiteMcpClient;
  beforeAll(async () => {
    mcp = await LiteMcpClient.connect({ server: serverWithLog(undefined, "stdio"), requestTimeout: 5000 });
    return () => mcp.close();
  });

  test.each<[unknown, unknown, string]>([
    [undefined, {}, "The name of a tool must be a non-empty string."],
    ["", {}, "The name of a tool must be a non-empty string."],
    ["echo", "text", "The arguments of tool 'echo' must be an object."],
    ["echo", ["text"], "The arguments of tool 'echo' must be an object."],
    ["echo", null, "The arguments of tool 'echo' must be an object."],
  ])("to %j with %j is refused [M-lite-misuse]", async (name, args, message) => {
    expect(await thrown(mcp.callTool(name as string, args as object as never))).toMatchObject({
      code: "invalid_argument",
      message,
    });
  });

  test("can be cancelled [M-pages]", async () => {
    const controller = new AbortController();
    const call = thrown(mcp.callTool("wait", { ms: 60_000 }, { signal: controller.signal }));
    controller.abort();
    expect((await call).message).toBe("Failed to execute MCP tool 'wait': The call was cancelled.");
  });

  test("reports progress [M-progress]", async () => {
    const seen: number[] = [];
    await mcp.callTool("steps", { count: 5 }, { onProgress: ({ progress }) => void seen.push(progress) });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});
