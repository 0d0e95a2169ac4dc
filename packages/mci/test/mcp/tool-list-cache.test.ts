import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../../../test/until.ts";
import { load, loadFails, tool } from "../toolsets/support.ts";
import { pids } from "./support.ts";
import { cacheOf, day, entry, readCache, server, webServer, withServers } from "./with-servers.ts";

describe("the cached tool list", () => {
  test("is used until its day comes: no process, nothing written [M-cache]", async () => {
    const bench = server("stdio");
    const root = withServers({ bench: { ...bench.settings, config: { expDays: 2 } } });
    const first = await load(root);
    const { expiresAt, configHash, metadata, schemaVersion } = readCache(root, "bench");
    expect({ expiresAt, metadata, schemaVersion }).toEqual({
      expiresAt: day(2),
      metadata: { name: "bench", description: "MCP server: bench" },
      schemaVersion: "1.0",
    });
    expect(configHash).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(readdirSync(join(root, "mci/mcp"))).toEqual(["bench.mci.json"]);
    const { mtimeMs } = statSync(cacheOf(root, "bench"));
    const second = await load(root);
    expect(second.tools()).toEqual(first.tools());
    expect(pids(bench.log())).toHaveLength(1);
    expect(statSync(cacheOf(root, "bench")).mtimeMs).toBe(mtimeMs);
  });

  test.each<[string, string | undefined, boolean]>([
    ["tomorrow", day(1), true],
    ["today", day(0), false],
    ["yesterday", day(-1), false],
    ["a later point in time", new Date(Date.now() + 3_600_000).toISOString(), true],
    ["an earlier point in time", new Date(Date.now() - 1000).toISOString(), false],
    ["nonsense", "soon", false],
    ["nothing", undefined, false],
  ])("expires: %s [M-expiry]", async (_, expiresAt, isFresh) => {
    const bench = await webServer();
    const root = withServers({ bench: bench.settings });
    await (await load(root)).close();
    writeFileSync(cacheOf(root, "bench"), JSON.stringify({ ...readCache(root, "bench"), expiresAt }));
    await load(root);
    expect(bench.lists()).toBe(isFresh ? 1 : 2);
  });

  test("belongs to the settings it was made with [M-cache]", async () => {
    const bench = server("stdio");
    const file = (settings: object) => JSON.stringify(entry({ bench: settings }));
    const root = withServers({ bench: bench.settings });
    const loads = async (settings: object) => {
      writeFileSync(join(root, "tools.mci.json"), file(settings));
      await (await load(root, { env: { A: "1" } })).close();
      return pids(bench.log()).length;
    };
    expect(await loads(bench.settings)).toBe(1);
    expect(await loads({ ...bench.settings, prefix: "x_", timeout_ms: 5, config: { expDays: 9 } })).toBe(1);
    expect(await loads({ ...bench.settings, args: [...(bench.settings["args"] as string[]), "other"] })).toBe(
      2,
    );
    const env = bench.settings["env"] as object;
    expect(await loads({ ...bench.settings, env: { ...env, A: "{{env.A}}" } })).toBe(3);
  });

  test("belongs to what the client told the server that it can do [M-cache]", async () => {
    const bench = await webServer();
    const root = withServers({ bench: bench.settings });
    const loads = async (options: Parameters<typeof load>[1] = {}) => {
      await (await load(root, options)).close();
      return [bench.lists(), readCache(root, "bench")["clientCapabilities"]];
    };
    const onInput = async () => ({ action: "cancel" as const });
    const extensions = { "org.example/b": {}, "org.example/a": {} };
    expect(await loads()).toEqual([1, []]);
    expect(await loads({ onInput })).toEqual([2, ["elicitation"]]);
    expect(await loads({ mcp: { asksForInput: true } })).toEqual([2, ["elicitation"]]);
    const all = ["elicitation", "org.example/a", "org.example/b"];
    expect(await loads({ onInput, mcp: { extensions } })).toEqual([3, all]);
    expect(await loads({ fetchMcpTools: false })).toEqual([3, all]);
    expect(await loads()).toEqual([4, []]);
  });

  test("without a hash, as other adapters write it, does not count as fresh [M-cache]", async () => {
    const bench = await webServer();
    const root = withServers({ bench: bench.settings });
    const tools = [{ ...tool("old"), execution: { type: "mcp", serverName: "bench", toolName: "old" } }];
    mkdirSync(join(root, "mci/mcp"), { recursive: true });
    writeFileSync(cacheOf(root, "bench"), JSON.stringify({ schemaVersion: "1.0", tools, expiresAt: day(9) }));
    expect((await load(root)).listTools()).not.toContain("old");
    expect(bench.lists()).toBe(1);
  });

  test.each<[string, string]>([
    ["half a file", '{"schemaVersion": "1.0", "tools": [{"na'],
    ["nothing", ""],
    [
      "a tool that is not the server's",
      JSON.stringify({ schemaVersion: "1.0", tools: [tool("evil")], expiresAt: "9999-01-01" }),
    ],
  ])("is asked for again if it holds %s [M-cache-broken]", async (_, content) => {
    const bench = await webServer();
    const root = withServers({ bench: bench.settings });
    mkdirSync(join(root, "mci/mcp"), { recursive: true });
    writeFileSync(cacheOf(root, "bench"), content);
    const client = await load(root);
    expect(client.warnings).toEqual([]);
    expect(client.listTools()).toContain("echo");
    expect(client.listTools()).not.toContain("evil");
    expect(readCache(root, "bench").configHash).toBeDefined();
  });

  test("keeps letters of all languages as they are [M-cache]", async () => {
    const root = withServers({ größe: (await webServer()).settings });
    await load(root);
    expect(readFileSync(cacheOf(root, "größe"), "utf8")).toContain('"default": "…"');
  });

  test("that cannot be written is a warning [M-cache-readonly]", async () => {
    const root = withServers({ bench: (await webServer()).settings });
    // Root may write anywhere, so a file has the directory's name.
    mkdirSync(join(root, "mci"));
    writeFileSync(join(root, "mci/mcp"), "a file");
    const client = await load(root);
    expect(client.listTools()).toContain("echo");
    expect(client.warnings).toMatchObject([
      { path: "mcp_servers.bench", message: expect.stringContaining("could not be cached") },
    ]);
    chmodSync(join(root, "mci/mcp"), 0o600);
  });

  test.each(["../evil", "a/b", "a\\b", ".", "..", " ", "a\nb", "x".repeat(200)])(
    "cannot leave its directory by the server's name: %j [M-cache-name]",
    async (name) => {
      const bench = server("stdio");
      const root = withServers({ [name]: bench.settings });
      for (const validating of [false, true]) {
        const error = await loadFails(root, { validating });
        expect(error.message).toContain("cannot be a file name");
      }
      expect(pids(bench.log())).toEqual([]);
      expect(existsSync(join(root, "mci"))).toBe(false);
    },
  );

  test("may have a name with signs that some systems do not allow [M-cache-name]", async () => {
    const root = withServers({ "a:b?": (await webServer()).settings });
    await load(root);
    expect(readdirSync(join(root, "mci/mcp"))).toEqual(["a%3Ab%3F.mci.json"]);
  });

  test("lies in the library, which may depend on env [M-cache]", async () => {
    const root = withServers({ bench: (await webServer()).settings }, { libraryDir: "{{env.LIB}}" });
    await load(root, { env: { LIB: "lib" } });
    expect(existsSync(join(root, "lib/mcp/bench.mci.json"))).toBe(true);
  });

  test.each([3_000_000, 1e15])("lives for as long as a date can say: %d days [M-expiry]", async (expDays) => {
    const bench = await webServer();
    const root = withServers({ bench: { ...bench.settings, config: { expDays } } });
    expect((await load(root)).warnings).toEqual([]);
    expect(readCache(root, "bench").expiresAt).toBe("9999-12-31");
    await load(root);
    expect(bench.lists()).toBe(1);
  });

  test("is not cached when the number of days is not valid; a warning says so [M-expiry]", async () => {
    const root = withServers({
      bench: { ...(await webServer()).settings, config: { expDays: "{{env.DAYS}}" } },
    });
    const client = await load(root, { env: { DAYS: "some" } });
    expect(client.listTools()).toContain("echo");
    expect(client.warnings).toMatchObject([
      {
        message:
          "The tool list of MCP server 'bench' could not be cached: expDays must be a whole number of at least 1, but '{{env.DAYS}}' gave something else.",
        hint: "it is fetched from the server on every load",
      },
    ]);
  });

  test("may have tools removed by hand [M-cache]", async () => {
    const bench = await webServer();
    const root = withServers({ bench: bench.settings });
    await (await load(root)).close();
    const kept = readCache(root, "bench");
    const tools = kept.tools.map((tool: { name: string }) => ({ ...tool, disabled: tool.name === "crash" }));
    writeFileSync(cacheOf(root, "bench"), JSON.stringify({ ...kept, tools }));
    const client = await load(root);
    expect(client.listTools()).toContain("echo");
    expect(client.listTools()).not.toContain("crash");
    await expect(client.execute("crash")).rejects.toMatchObject({ code: "tool_not_found" });
    expect(bench.lists()).toBe(1);
  });

  test("whose file name is a directory is fetched, with a warning [M-cache-broken]", async () => {
    const root = withServers({ bench: (await webServer()).settings });
    mkdirSync(cacheOf(root, "bench"), { recursive: true });
    const client = await load(root);
    expect(client.listTools()).toContain("echo");
    expect(client.warnings).toMatchObject([{ message: expect.stringContaining("could not be cached") }]);
    expect(readdirSync(join(root, "mci/mcp"))).toEqual(["bench.mci.json"]);
  });

  test("lives for days that may depend on env [M-expiry]", async () => {
    const root = withServers({
      bench: { ...(await webServer()).settings, config: { expDays: "{{env.DAYS}}" } },
    });
    await load(root, { env: { DAYS: "5" } });
    expect(readCache(root, "bench").expiresAt).toBe(day(5));
  });
});

test("secrets sent to a server are neither shown nor cached, wherever it repeats them [M-cache-secret]", async () => {
  const { settings } = server("rude", "telling");
  const env = { ...(settings["env"] as object), TOKEN: "{{env.TOKEN}}" };
  const root = withServers({ teller: { ...settings, env } });
  const options = { env: { TOKEN: "t0k3n-value" } };
  // Fetched first, then cached, then from a list that another program wrote.
  const fetched = await load(root, options);
  expect(readFileSync(cacheOf(root, "teller"), "utf8")).not.toMatch(/t0k3n|dDBrM24/);
  const cached = await load(root, options);
  const foreign = readCache(root, "teller");
  foreign.tools[0].description = "Reads t0k3n-value";
  foreign.tools[1].name = "t0k3n-value";
  writeFileSync(cacheOf(root, "teller"), JSON.stringify(foreign));
  for (const client of [fetched, cached, await load(root, options)]) {
    const shown = JSON.stringify([client.tools(), client.toolDefinitions(), client.lock(), client.warnings]);
    expect(shown).not.toMatch(/t0k3n|dDBrM24/);
    const [tool] = client.tools();
    expect(tool?.description).toBe("Reads ***");
    // The server has its own default; a part of it would be another value.
    expect(tool?.inputSchema?.properties).toEqual({
      key: {
        type: "string",
        examples: ["abc"],
        $comment: "see ***",
        "x-note": expect.stringContaining("***"),
      },
      other: { type: "string", default: "x" },
      nested: {},
    });
  }
  expect(fetched.listTools()).toEqual(["only", "by_title"]);
  expect(fetched.warnings.map(({ message }) => message.split(" is left out")[0])).toEqual(
    ["read_***", "by_property", "by_enum", "by_output"].map(
      (name) => `Tool '${name}' of MCP server 'teller'`,
    ),
  );
  expect(fetched.lock()).toEqual(cached.lock());
});

test("a list is seen whole or not at all, however many write it at once [M-cache]", async () => {
  const root = withServers({ pages: server("pages").settings });
  let isOver = false;
  const loads = Array.from({ length: 6 }, () => load(root));
  const all = Promise.all(loads).finally(() => {
    isOver = true;
  });
  let seen = 0;
  await until(() => {
    if (existsSync(cacheOf(root, "pages"))) {
      expect(readCache(root, "pages").tools).toHaveLength(250);
      seen += 1;
    }
    return isOver && seen > 0;
  }, "all have loaded");
  for (const client of await all) expect(client.listTools()).toHaveLength(250);
  expect(readdirSync(join(root, "mci/mcp"))).toEqual(["pages.mci.json"]);
});
