import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { MCIClient } from "../../src/client.ts";
import { load, project } from "../toolsets/support.ts";
import { ownServer, pids, readLog, serverWithLog, temporaryDirectory } from "./support.ts";

function bench(more: { tools?: object[]; server?: object; env?: Record<string, string> } = {}) {
  const { config, log } = ownServer("stdio");
  const { type: _, ...settings } = config;
  const env = { ...config.env, ...more.env };
  const root = project({
    "tools.mci.json": {
      schemaVersion: "1.0",
      tools: more.tools ?? [],
      mcp_servers: { bench: { ...settings, env, ...more.server } },
    },
  });
  return { root, log };
}

const mcp = (name: string, more: object = {}, execution: object = {}) => ({
  name: `my_${name}`,
  execution: { type: "mcp", serverName: "bench", toolName: name, ...execution },
  ...more,
});

describe("a call of an MCP tool", () => {
  // One client for all: no call depends on another.
  let client: MCIClient;
  let log: string;
  beforeAll(async () => {
    const cleanUps: (() => void)[] = [];
    const folder = temporaryDirectory((remove) => cleanUps.push(remove));
    log = join(folder, "log");
    const { type: _, ...server } = serverWithLog(log, "stdio");
    const document = { schemaVersion: "1.0", mcp_servers: { bench: server } };
    client = await MCIClient.fromObject(document, { baseDir: folder, env: {} });
    return async () => {
      await client.close();
      for (const cleanUp of cleanUps) cleanUp();
    };
  });

  test("hands on what the server answers, and says whose it is [C-result]", async () => {
    const media = await client.execute("media");
    expect(media.isError).toBe(false);
    expect(media.content.map(({ type }) => type)).toEqual([
      "text",
      "image",
      "audio",
      "resource",
      "resource",
      "resource_link",
    ]);
    expect(media.content[3]).toEqual({
      type: "resource",
      resource: { uri: "memo://1", mimeType: "text/plain", text: "Grüße" },
    });
    const structured = await client.execute("structured");
    expect(structured.structuredContent).toEqual({ sum: 3 });
    expect(structured.metadata).toEqual({
      mcp_server: "bench",
      mcp_tool: "structured",
      mcp_meta: { "example.com/cost": 7 },
    });
  });

  test("a tool that fails is a failed result with the server's words [C-result]", async () => {
    const failed = await client.execute("fail");
    expect(failed).toMatchObject({
      isError: true,
      error: "The disk is full",
      metadata: { mcp_server: "bench", mcp_tool: "fail" },
    });
    const refused = await client.execute("refuse");
    expect(refused.error).toContain("Failed to execute MCP tool 'refuse': ");
    expect(refused.error).toContain("Not on a Sunday");
    expect(refused.metadata).toEqual({ mcp_server: "bench", mcp_tool: "refuse", error_code: "mcp_failed" });
  });

  test("reports progress [M-progress]", async () => {
    const seen: unknown[] = [];
    await client.execute("steps", { count: 2 }, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { progress: 1, total: 2, message: "step 1" },
      { progress: 2, total: 2, message: "step 2" },
    ]);
  });

  test("is not harmed by what the caller does with its progress [M-progress]", async () => {
    const onProgress = () => {
      throw new Error("not interested");
    };
    expect((await client.execute("steps", { count: 2 }, { onProgress })).text).toBe("done");
  });

  test("takes nothing but what JSON can say, and the server sees it as such [M-unwritable]", async () => {
    const loop: Record<string, unknown> = {};
    loop["loop"] = loop;
    await expect(client.execute("echo", { ms: loop })).rejects.toMatchObject({ code: "invalid_input" });
    expect((await client.execute("greet", { name: 2n ** 53n })).text).toBe("Hello 9007199254740992");
    const given = Object.freeze({ text: "frozen", ms: Object.freeze([undefined]) });
    expect((await client.execute("echo", given)).text).toBe("frozen");
  });

  test("can be cancelled, and the server is notified; the session stays open [M-pages]", async () => {
    const controller = new AbortController();
    const call = client.execute("wait", { ms: 60_000 }, { signal: controller.signal });
    await until(() => readLog(log).includes("call wait"), "the call arrives");
    controller.abort();
    expect((await call).metadata).toMatchObject({ error_code: "aborted", mcp_server: "bench" });
    await until(() => readLog(log).includes("cancelled"), "the server hears of it");
    expect((await client.execute("echo", { text: "still" })).text).toBe("still");
    expect(pids(readLog(log))).toHaveLength(1);
  });
});

describe("executing an MCP tool", () => {
  test("shares one process among loading and all calls, hundreds of them [M-idle]", async () => {
    const { root, log } = bench();
    const client = await load(root);
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, n) => client.execute("echo", { text: `n${n}` })),
    );
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 300 }, (_, n) => `n${n}`));
    expect(pids(log())).toHaveLength(1);
    await client.close();
    expect(pids(log()).filter(isAlive)).toEqual([]);
  });

  test("works for tools that the file writes itself, with defaults and an argument called name [M-own]", async () => {
    const inputSchema = { type: "object", properties: { name: { type: "string", default: "World" } } };
    const client = await load(
      bench({ tools: [mcp("greet", { inputSchema })], server: { prefix: "bench_" } }).root,
    );
    expect((await client.execute("my_greet")).text).toBe("Hello World");
    expect((await client.execute("my_greet", { name: "Ada" })).text).toBe("Hello Ada");
    expect((await client.execute("bench_echo", { text: "under its prefix" })).text).toBe("under its prefix");
  });

  test("of a server that the file does not name fails, and loading warns", async () => {
    const { root } = bench({ tools: [mcp("x", {}, { serverName: "bnech" })] });
    const client = await load(root, { fetchMcpTools: false });
    expect(client.warnings).toMatchObject([
      {
        path: "tools[0].execution.serverName",
        hint: "did you mean 'bench'?",
        message: "MCP server 'bnech' not registered in main schema",
      },
    ]);
    const result = await client.execute("my_x");
    expect(result.error).toBe("MCP server 'bnech' not registered in main schema");
    expect(result.metadata).toMatchObject({ mcp_server: "bnech", mcp_tool: "x" });
  });

  test("ends at its deadline: the execution's, then the server's [M-pages]", async () => {
    const tools = [mcp("wait", {}, { timeout_ms: "{{env.LIMIT}}" }), { ...mcp("wait"), name: "plain" }];
    const { root, log } = bench({
      tools,
      server: { timeout_ms: 250, config: { filter: "only", filterValue: "pid" } },
    });
    const client = await load(root, { env: { LIMIT: "120" } });
    // The variable's value is not shown, like that of any other.
    const own = await client.execute("my_wait", { ms: 60_000 });
    expect(own.error).toBe("Failed to execute MCP tool 'wait': no response within *** ms");
    expect(own.metadata).toMatchObject({ error_code: "mcp_timeout" });
    expect((await client.execute("plain", { ms: 60_000 })).error).toContain("250 ms");
    await until(() => log().filter((line) => line === "cancelled").length === 2, "the server hears of both");
  });

  test("whose server crashes fails once, and the next call has a new server [M-idle]", async () => {
    const { root, log } = bench();
    const client = await load(root);
    const lost = await client.execute("crash");
    expect(lost.error).toMatch(
      /^Failed to execute MCP tool 'crash': the server ended with exit code 3: out of cheese\. The call had been sent/,
    );
    expect(lost.metadata).toMatchObject({ error_code: "mcp_unavailable" });
    expect((await client.execute("echo", { text: "back" })).text).toBe("back");
    expect(pids(log())).toHaveLength(2);
  });

  test("sees the same env at load and at call, and never the process environment [M-env]", async () => {
    process.env["MCI_TEST_SECRET"] = "s3cr3t";
    const { root } = bench({ env: { TOKEN: "{{env.TOKEN}}" } });
    const client = await load(root, { env: { TOKEN: "t0k3n" } });
    const environment = JSON.parse((await client.execute("environment")).text);
    delete process.env["MCI_TEST_SECRET"];
    expect(environment.TOKEN).toBe("t0k3n");
    expect(Object.keys(environment).sort()).toEqual(
      [
        "HOME",
        "LOG",
        "LOGNAME",
        "NODE_COMPILE_CACHE",
        "NODE_EXTRA_CA_CERTS",
        "PATH",
        "SHELL",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "TERM",
        "TOKEN",
        "USER",
      ].filter((name) => name in environment),
    );
  });

  test("does not tell a server's settings in its errors [M-secrets]", async () => {
    const { config } = ownServer("wordless.sh", "broken");
    const { type: _, ...settings } = config;
    const server = { ...settings, env: { ...config.env, TOKEN: "{{env.TOKEN}}" } };
    const tools = [mcp("x", {}, { serverName: "broken" })];
    const root = project({
      "tools.mci.json": { schemaVersion: "1.0", tools, mcp_servers: { broken: server } },
    });
    const client = await load(root, { env: { TOKEN: "t0k3n-value" } });
    const result = await client.execute("my_x");
    expect(result.error).toContain("exit code 4: Cannot read ***");
    expect(JSON.stringify([result, client.warnings])).not.toContain("t0k3n");
  });

  test("is over when the client closes: a call in flight is cancelled, and says so [M-pages] [M-orphans]", async () => {
    const { root, log } = bench();
    const client = await load(root);
    const call = client.execute("wait", { ms: 60_000 });
    await until(() => log().includes("call wait"), "the call arrives");
    await client.close();
    expect((await call).metadata.error_code).toBe("aborted");
    expect(pids(log()).filter(isAlive)).toEqual([]);
    await expect(client.execute("echo")).rejects.toMatchObject({ code: "closed" });
  });

  test("keeps out what a filter of the client keeps out [M-filter]", async () => {
    const client = await load(bench().root, { filter: { only: ["echo"] } });
    expect(client.listTools()).toEqual(["echo"]);
    await expect(client.execute("crash")).rejects.toMatchObject({ code: "tool_not_found" });
  });
});
