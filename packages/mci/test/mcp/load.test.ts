import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { load, loadFails, tool } from "../toolsets/support.ts";
import { createWorkbench } from "./servers/workbench.ts";
import { listen, pids } from "./support.ts";
import { cacheOf, day, readCache, server, withServers } from "./with-servers.ts";

describe("the tools of an MCP server", () => {
  test("become tools of the file, with annotations, tags and their source [M-map]", async () => {
    const bench = server("stdio");
    const client = await load(withServers({ bench: bench.settings }, { tools: [tool("own")] }));
    expect(client.warnings).toEqual([]);
    expect(client.listTools().slice(0, 3)).toEqual(["own", "echo", "greet"]);
    const [echo] = client.only(["echo"]);
    expect(echo).toEqual({
      name: "echo",
      description: "Tool echo",
      annotations: { title: "Echo", readOnlyHint: true, idempotentHint: true, destructiveHint: false },
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", default: "…" }, ms: {}, count: {}, name: {} },
        "x-note": "as it is",
      },
      tags: ["IsReadOnly", "IsIdempotent"],
      execution: { type: "mcp", serverName: "bench", toolName: "echo" },
      toolsetSource: "bench",
    });
    expect(client.only(["crash"])[0]).toMatchObject({
      annotations: { destructiveHint: true, openWorldHint: true, audience: ["user", "assistant"] },
      tags: ["IsDestructive", "IsOpenWorld", "audience_user", "audience_assistant"],
    });
    expect(client.tags(["audience_user"]).map(({ name }) => name)).toEqual(["crash"]);
    expect(client.only(["pid"])[0]).toMatchObject({ annotations: {}, tags: [] });
    expect(client.toolsets(["bench"]).map(({ name }) => name)).not.toContain("own");
    expect(client.tags(["IsReadOnly"]).map(({ name }) => name)).toEqual(["echo"]);
  });

  test("that a filter names and the server does not have are a warning, of a cached list too", async () => {
    const { settings } = server("stdio");
    const root = withServers({ a: { ...settings, config: { filter: "only", filterValue: "ecko, pid" } } });
    for (let round = 0; round < 2; round++) {
      expect((await load(root)).warnings).toMatchObject([
        {
          path: "mcp_servers.a.config.filterValue",
          message: "MCP server 'a' has no tool 'ecko'",
          hint: "did you mean 'echo'?",
        },
      ]);
    }
  });

  test("are selected by a filter and named with a prefix [M-filter]", async () => {
    const settings = server("stdio").settings;
    const root = withServers({
      a: { ...settings, prefix: "a_", config: { filter: "tags", filterValue: "IsReadOnly" } },
      b: { ...settings, config: { filter: "only", filterValue: "echo, pid" } },
    });
    expect((await load(root)).listTools()).toEqual(["a_echo", "echo", "pid"]);
    // The whole list is cached.
    expect(readCache(root, "a").tools.map((kept: { name: string }) => kept.name)).toContain("crash");
  });

  test("of one name from two servers are a warning that names both and the cure; the first is used [M-duplicate]", async () => {
    const only = { config: { filter: "only", filterValue: "echo" } };
    const { settings } = server("stdio");
    const client = await load(withServers({ a: { ...settings, ...only }, b: { ...settings, ...only } }));
    expect(client.tools().map(({ name, toolsetSource }) => [name, toolsetSource])).toEqual([["echo", "a"]]);
    expect(client.warnings).toMatchObject([
      {
        severity: "warning",
        path: "mcp_servers.b",
        message: expect.stringMatching(/Duplicate tool name 'echo': .* both have it; the first one is used/),
        hint: expect.stringContaining('set "prefix"'),
      },
    ]);
  });

  test("of one name from two servers are an error with strict; nothing stays behind [M-duplicate]", async () => {
    const [a, b] = [server("stdio"), server("stdio")];
    const only = { config: { filter: "only", filterValue: "echo" } };
    const error = await loadFails(
      withServers({ a: { ...a.settings, ...only }, b: { ...b.settings, ...only } }),
      { strict: true },
    );
    expect(error.code).toBe("schema_invalid");
    expect(error.problems).toHaveLength(1);
    expect(error.message).toMatch(
      /Duplicate tool name 'echo': MCP server 'a' \(.*tools\.mci\.json:\d+\) and MCP server 'b' \(.*tools\.mci\.json:\d+\) both have it/,
    );
    expect(error.message).toContain('set "prefix" on one of the sources');
    expect([...pids(a.log()), ...pids(b.log())].filter(isAlive)).toEqual([]);
  });

  test("are all 250 of a server with pages [M-pages]", async () => {
    expect((await load(withServers({ pages: server("pages").settings }))).listTools()).toHaveLength(250);
  });

  test("come over HTTP with templated headers [M-headers]", async () => {
    const handler = toNodeHandler(createMcpHandler(createWorkbench));
    const { url } = await listen((request, response) => {
      if (request.headers["authorization"] === "Bearer t0k3n-value") return handler(request, response);
      response.writeHead(401, "Unauthorized").end(`no ${request.headers["authorization"]}`);
    });
    const root = withServers({
      web: { url: "{{env.URL}}", headers: { Authorization: "Bearer {{env.TOKEN}}" } },
    });
    const client = await load(root, { env: { URL: url, TOKEN: "t0k3n-value" } });
    expect((await client.execute("echo", { text: "hi" })).text).toBe("hi");
    expect(client.tags(["audience_user"]).map(({ name }) => name)).toEqual(["crash"]);
    expect(readFileSync(cacheOf(root, "web"), "utf8")).not.toContain("t0k3n");

    // A server that repeats the secret does not give it away.
    const other = withServers({
      web: { url: "{{env.URL}}", headers: { Authorization: "Bearer {{env.TOKEN}}" } },
    });
    const { warnings } = await load(other, { env: { URL: url, TOKEN: "wr0ng-value" } });
    expect(warnings[0]?.message).toContain("401 Unauthorized: no Bearer ***");
    expect(JSON.stringify(warnings)).not.toContain("wr0ng");
  });
});

describe("a server that fails", () => {
  test("to understand its settings is reported without their values", async () => {
    const root = withServers({ s: { ...server("stdio").settings, timeout_ms: "{{env.TIMEOUT}}" } });
    const { warnings } = await load(root, { env: { TIMEOUT: "s3cret" } });
    expect(warnings[0]?.message).toContain(
      "timeout_ms must be a whole number of at least 0, but '{{env.TIMEOUT}}'",
    );
    expect(JSON.stringify(warnings)).not.toContain("s3cret");
  });

  test("is a warning with its place; the others' tools are there [M-dead]", async () => {
    const root = withServers({
      dead: server("wordless.sh", "broken").settings,
      nowhere: { command: "no-such-program-anywhere" },
      alive: server("stdio").settings,
      unset: { command: "{{env.COMMAND}}" },
      closed: { url: "http://127.0.0.1:9/mcp" },
    });
    const client = await load(root);
    expect((await client.execute("echo", { text: "hi" })).text).toBe("hi");
    expect(client.warnings).toMatchObject([
      {
        path: "mcp_servers.dead",
        severity: "warning",
        line: 4,
        hint: "its tools are missing; run its command in a terminal to see its output; it must speak MCP on standard input and output",
      },
      {
        path: "mcp_servers.nowhere",
        hint: "its tools are missing; the command was not found in PATH: install it, or give its full path",
      },
      {
        path: "mcp_servers.unset",
        hint: "its tools are missing; give the variable a value, or write a fallback",
      },
      {
        path: "mcp_servers.closed",
        hint: "its tools are missing; check its url, and that the server is running there",
      },
    ]);
    expect(client.warnings.map(({ message }) => message)).toEqual([
      "Failed to fetch tools from MCP server 'dead': the server ended with exit code 4: Cannot read settings",
      expect.stringContaining(
        "Failed to fetch tools from MCP server 'nowhere': spawn no-such-program-anywhere ENOENT",
      ),
      expect.stringContaining(
        "Failed to fetch tools from MCP server 'unset': Template variable not found: env.COMMAND",
      ),
      expect.stringContaining("Failed to fetch tools from MCP server 'closed': "),
    ]);
  });

  test("is an error with strict, and nothing stays behind [M-dead]", async () => {
    const bench = server("stdio");
    const root = withServers({ dead: server("wordless.sh", "broken").settings, bench: bench.settings });
    const error = await loadFails(root, { strict: true });
    expect(error).toMatchObject({
      code: "mcp_server_failed",
      problems: [{ path: "mcp_servers.dead", severity: "error" }],
    });
    expect(pids(bench.log()).filter(isAlive)).toEqual([]);
  });

  test("to start is reported with advice under strict too, also where a path does not exist", async () => {
    const root = withServers({ gone: { command: join(tmpdir(), "no-such-program") } });
    const { problems } = await loadFails(root, { strict: true });
    expect(problems).toMatchObject([{ hint: "there is no such program: correct its path, or install it" }]);
  });

  test("by silence is given up after the time that the caller allows; others do not wait in line [M-pages]", async () => {
    const silent = Array.from({ length: 3 }, () => server("wordless.sh", "silent"));
    const root = withServers({
      ...Object.fromEntries(silent.map(({ settings }, index) => [`s${index}`, settings])),
    });
    const client = await load(root, { mcp: { connectTimeoutMs: 1000 } });
    expect(client.warnings.map(({ message }) => message)).toEqual(
      [0, 1, 2].map(
        (n) => `Failed to fetch tools from MCP server 's${n}': no response to the handshake within 1000 ms`,
      ),
    );
    expect(client.warnings[0]?.hint).toMatch(
      /printed no response.*'npx'.*proxies and certificates.*in the server's env$/,
    );
    expect(silent.flatMap(({ log }) => pids(log())).filter(isAlive)).toEqual([]);
  });

  test("though it once answered, with the same settings, leaves the list of that time [M-dead]", async () => {
    const bench = server("stdio");
    const { command, args, ...settings } = bench.settings;
    const wrapped = ["-c", 'if [ -e gone ]; then exit 7; fi; exec "$0" "$@"', command, ...(args as string[])];
    const root = withServers({ bench: { ...settings, command: "sh", args: wrapped } });
    await (await load(root)).close();
    const kept = readCache(root, "bench");
    writeFileSync(cacheOf(root, "bench"), JSON.stringify({ ...kept, expiresAt: day(-1) }));
    writeFileSync(join(root, "gone"), "");
    const client = await load(root);
    expect(client.listTools()).toContain("echo");
    expect(client.warnings).toMatchObject([
      {
        message: "Failed to fetch tools from MCP server 'bench': the server ended with exit code 7",
        hint: expect.stringMatching(/^its tools are those of an older cached list/),
      },
    ]);
    expect((await client.execute("echo")).metadata).toMatchObject({ error_code: "mcp_unavailable" });
    expect((await loadFails(root, { strict: true })).code).toBe("mcp_server_failed");
    // Once it is back, so is its list.
    rmSync(join(root, "gone"));
    expect((await load(root)).warnings).toEqual([]);
    expect(readCache(root, "bench").expiresAt).toBe(day(30));
  });

  test("leaves the tools of its old list, with a warning [M-dead]", async () => {
    const root = withServers({ bench: server("stdio").settings });
    await (await load(root)).close();
    writeFileSync(
      cacheOf(root, "bench"),
      JSON.stringify({ ...readCache(root, "bench"), expiresAt: day(-1) }),
    );
    const text = readFileSync(join(root, "tools.mci.json"), "utf8");
    // The same settings, but the program is gone.
    const hidden = `${process.execPath}.not-there`;
    writeFileSync(join(root, "tools.mci.json"), text.replaceAll(process.execPath, hidden));
    const { configHash: _, ...cache } = readCache(root, "bench");
    writeFileSync(cacheOf(root, "bench"), JSON.stringify(cache));
    const client = await load(root);
    expect(client.listTools()).toContain("echo");
    expect(client.warnings).toMatchObject([
      {
        hint: expect.stringMatching(/^its tools are those of an older cached list; there is no such program/),
        path: "mcp_servers.bench",
      },
    ]);
    const result = await client.execute("echo");
    expect(result).toMatchObject({
      isError: true,
      metadata: { error_code: "mcp_unavailable", mcp_server: "bench", mcp_tool: "echo" },
    });
  });
});

describe("nothing is started, connected to or written", () => {
  test.each<[object, string]>([
    [{ filter: "only" }, "Filter type 'only' specified but filterValue is missing"],
    [
      { filter: "Only", filterValue: "a" },
      "Invalid filter type 'Only'. Valid types: only, except, tags, withoutTags",
    ],
    [{ filter: "tags", filterValue: "," }, "Filter value cannot be empty for filter type 'tags'"],
  ])("for a filter that is broken: %j [M-filter-errors]", async (config, message) => {
    const bench = server("stdio");
    const error = await loadFails(withServers({ bench: { ...bench.settings, config } }));
    expect(error.message).toContain(message);
    expect(bench.log()).toEqual([]);
  });

  test("in validating mode, which needs no env [L-validating]", async () => {
    const bench = server("stdio");
    const servers = {
      bench: { ...bench.settings, env: { KEY: "{{env.KEY}}" } },
      web: { url: "{{env.URL}}" },
    };
    const root = withServers(servers, { tools: [tool("own")] });
    const client = await load(root, { validating: true });
    expect(client.listTools()).toEqual(["own"]);
    expect(client.warnings).toEqual([]);
    expect(bench.log()).toEqual([]);
    expect(readdirSync(root)).toEqual(["tools.mci.json"]);
  });

  test("when a template of a server is malformed; the error has its place [L-validating]", async () => {
    const config = { expDays: "{{env.DAYS" };
    const root = withServers({ web: { url: "http://x/{{env.A", headers: { H: "{{ | }}" }, config } });
    for (const validating of [true, false]) {
      const error = await loadFails(root, { validating });
      expect(error.problems.map(({ path }) => path)).toEqual([
        "mcp_servers.web.url",
        "mcp_servers.web.headers.H",
        "mcp_servers.web.config.expDays",
      ]);
    }
  });

  test("when another part of the file is wrong [M-static-first]", async () => {
    const bench = server("stdio");
    await loadFails(withServers({ bench: bench.settings }, { toolsets: ["missing"] }));
    expect(bench.log()).toEqual([]);
  });
});

test("settings are filled in from env, and only from there: command, args, env and url", async () => {
  const { settings } = server("stdio");
  const { command, args } = settings as { command: string; args: string[] };
  const handler = toNodeHandler(createMcpHandler(createWorkbench));
  const { url } = await listen(handler);
  const root = withServers({
    program: {
      command: "{{env.RUNTIME}}",
      args: ["{{ env.DIR }}/{{ env.NAME | 'stdio.js' }}"],
      env: { GREETING: "{{env.GREETING}}, World" },
      prefix: "p_",
    },
    web: { url: "{{env.BASE}}/mcp", prefix: "w_" },
  });
  const env = {
    RUNTIME: command,
    DIR: dirname(args[0]!),
    GREETING: "Hello",
    BASE: url.replace(/\/mcp$/, ""),
  };
  const client = await load(root, { env, strict: true });
  expect(JSON.parse((await client.execute("p_environment")).text)["GREETING"]).toBe("Hello, World");
  expect((await client.execute("w_echo", { text: "hi" })).text).toBe("hi");
});

describe("loading servers", () => {
  test("happens side by side: each is started before the first has answered [M-dead]", async () => {
    const slow = Array.from({ length: 4 }, () => server("wordless.sh", "silent"));
    const root = withServers(Object.fromEntries(slow.map(({ settings }, index) => [`s${index}`, settings])));
    const loading = load(root, { mcp: { connectTimeoutMs: 5000 } });
    await until(() => slow.every(({ log }) => pids(log()).length > 0), "all are started");
    expect((await loading).warnings).toHaveLength(4);
  });
});

test("loading that is given up ends the servers it has started", async () => {
  const silent = server("wordless.sh", "silent");
  const given = new AbortController();
  const loading = load(withServers({ silent: silent.settings }), { signal: given.signal });
  await until(() => silent.log().length > 0, "the server to start");
  given.abort(new Error("changed my mind"));
  await expect(loading).rejects.toThrow("changed my mind");
  await until(() => !pids(silent.log()).some(isAlive), "the server to end");
  await expect(
    load(withServers({ silent: silent.settings }), { signal: AbortSignal.abort(new Error("too late")) }),
  ).rejects.toThrow("too late");
  expect(pids(silent.log())).toHaveLength(1);
});
