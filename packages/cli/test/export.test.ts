// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of other clients look like this
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../src/clients/clients.ts";
import { foldersOf } from "../src/clients/find-configuration.ts";
import { importMcpConfig } from "../src/import/mcp-config/mcp-config.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const FILE = {
  schemaVersion: "1.0",
  metadata: { name: "io.example/Weather Tools" },
  tools: [
    {
      name: "weather",
      execution: {
        type: "http",
        url: "{{env.BASE_URL | 'https://api.example.com'}}/now",
        auth: { type: "bearer", token: "{{env.WEATHER_TOKEN}}" },
      },
    },
  ],
};

function project(files: Readonly<Record<string, unknown>> = {}) {
  const cwd = folder({ "mci.json": FILE, ...files });
  const env = { HOME: join(cwd, "home"), PATH: process.env.PATH! };
  const run = (...args: string[]) => mciHere(["export", ...args], { cwd, env });
  return { cwd, env, run, read: (path: string) => readFileSync(join(cwd, path), "utf8") };
}

/** What the import makes of a configuration, without the list of variables. */
function importedServers(text: string): Record<string, unknown> {
  const servers = importMcpConfig(text).document.mcp_servers as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(servers).map(([name, { envAllowList: _, ...server }]) => [name, server]),
  );
}

const passesNoVariables = (name: string) => CLIENTS[name]!.variable === undefined;

describe.each(Object.keys(CLIENTS))("[C-export] %s", (name) => {
  const client = CLIENTS[name]!;

  test("what is exported is imported as the same server; the value of no variable is written", async () => {
    const { cwd, env, run } = project();
    const { code, stderr } = await mciHere(["export", name], {
      cwd,
      env: { ...env, WEATHER_TOKEN: "s3cret-value" },
    });
    expect(code, stderr).toBe(0);
    const places = client.places(foldersOf({ cwd, env }));
    const place = (places.project ?? places.user)!;
    const text = readFileSync(place, "utf8");
    expect(text + stderr).not.toContain("s3cret-value");
    const { "weather-tools": server } = importedServers(text);
    expect(server).toEqual({
      command: "mci",
      args: ["run", expect.stringMatching(/mci\.json$/)],
      ...(passesNoVariables(name) ? {} : { env: { WEATHER_TOKEN: "{{env.WEATHER_TOKEN}}" } }),
    });
    expect(stderr).toContain("WEATHER_TOKEN");
    expect(stderr).toContain("Not passed on, as they have fallbacks: BASE_URL");
    expect((await run(name)).stdout).toContain("already; nothing to change");
    expect(readFileSync(place, "utf8")).toBe(text);
  });

  test("a server at an address comes back too, or is refused with the reason", async () => {
    const { run } = project();
    const url = "http://127.0.0.1:3000/mcp";
    const { code, stdout, stderr } = await run(name, "--url", url, "--bearer", "MCI_TOKEN", "--print");
    if (client.address === undefined || client.variable === undefined) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/starts programs only|cannot read a token from a variable/);
      return;
    }
    expect(importedServers(stdout)).toEqual({
      "weather-tools": { url, headers: { Authorization: "Bearer {{env.MCI_TOKEN}}" } },
    });
  });

  test("what else the file says stays, comments included", async () => {
    const { cwd, env, run } = project();
    const places = client.places(foldersOf({ cwd, env }));
    const place = (places.project ?? places.user)!;
    const before =
      client.syntax === "toml"
        ? `# mine\nmodel = "x" # why\n\n[${client.servers}.other]\ncommand = "a"\n\n[tui]\ntheme = "dark"\n`
        : `{\n\t// mine\n\t"model": "x", /* why */\n\t"${client.servers}": {\n\t\t"other": { "command": "a" }, // last\n\t},\n}\n`;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, before);
    const { code, stderr } = await run(name);
    expect(code, stderr).toBe(0);
    const after = readFileSync(place, "utf8");
    for (const line of before.split("\n").filter((each) => /mine|why|theme/.test(each)))
      expect(after).toContain(line);
    if (client.syntax === "json") expect(after).toContain("// last");
    expect(Object.keys(importMcpConfig(after).document.mcp_servers!)).toEqual(["other", "weather-tools"]);
  });
});

test("[C-export] VS Code asks for what is needed, once, as a password where it is a secret", async () => {
  const { run, read } = project({
    ".vscode/mcp.json": {
      inputs: [{ type: "promptString", id: "WEATHER_TOKEN", description: "mine" }],
      servers: {},
    },
  });
  await run("vscode");
  const { inputs, servers } = JSON.parse(read(".vscode/mcp.json"));
  expect(inputs).toEqual([{ type: "promptString", id: "WEATHER_TOKEN", description: "mine" }]);
  expect(servers["weather-tools"].args).toEqual(["run", "${workspaceFolder}/mci.json"]);
  const fresh = project();
  await fresh.run("vscode");
  expect(JSON.parse(fresh.read(".vscode/mcp.json")).inputs).toEqual([
    { type: "promptString", id: "WEATHER_TOKEN", description: "WEATHER_TOKEN, used by main", password: true },
  ]);
});

test("[C-export] variables that an env file gives are left to it", async () => {
  const { run, read } = project({ ".env.mci": "WEATHER_TOKEN=abc\n" });
  expect((await run("claude")).stderr).not.toContain("WEATHER_TOKEN");
  expect(JSON.parse(read(".mcp.json")).mcpServers["weather-tools"]).toEqual({
    type: "stdio",
    command: "mci",
    args: ["run", "mci.json"],
  });
});

const refused: readonly [title: string, place: string, text: string, args: string[], message: string][] = [
  [
    "another server of that name",
    ".mcp.json",
    '{"mcpServers":{"weather-tools":{"command":"x"}}}',
    ["claude"],
    "has another server called 'weather-tools'",
  ],
  [
    "comments inside of the entry",
    ".mcp.json",
    '{"mcpServers":{"weather-tools":{"command":"mci","args":["run"] /* mine */}}}',
    ["claude"],
    "has comments, which would be lost",
  ],
  [
    "comments inside of a table",
    ".codex/config.toml",
    '[mcp_servers.weather-tools]\ncommand = "mci" # mine\nargs = ["run"]\n',
    ["codex"],
    "has comments, which would be lost",
  ],
  [
    "an inline table",
    ".codex/config.toml",
    'mcp_servers = { weather-tools = { command = "mci", args = ["run"] } }\n',
    ["codex"],
    "cannot be edited without changing the rest",
  ],
  [
    "a list that is not one",
    ".cursor/mcp.json",
    '{"mcpServers": []}',
    ["cursor"],
    "cannot be edited without changing the rest",
  ],
  ["JSON with a mistake", ".cursor/mcp.json", '{"mcpServers": {', ["cursor"], "is not valid JSON"],
  ["TOML with a mistake", ".codex/config.toml", "a = \n", ["codex"], "is not valid TOML"],
  [
    "the same key twice",
    ".cursor/mcp.json",
    '{"mcpServers": {}, "mcpServers": {"a": {"command": "b"}}}',
    ["cursor"],
    "cannot be edited without changing the rest",
  ],
];

test.each(refused)(
  "[C-export] %s: refused, and the file stays as it is",
  async (_, place, text, args, message) => {
    const { run, read } = project({ [place]: text });
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(read(place)).toBe(text);
  },
);

test("[C-export] --force replaces them; sub-tables of Codex go with their table", async () => {
  const codex =
    '[mcp_servers.weather-tools]\ncommand = "x" # mine\n\n[mcp_servers.weather-tools.env]\nA = "b"\n\n# next\n[tui]\n';
  const { run, read } = project({ ".codex/config.toml": codex });
  expect((await run("codex", "--force")).code).toBe(0);
  const text = read(".codex/config.toml");
  expect(text).not.toContain("A = ");
  expect(text).toMatch(/env_vars = \[ "WEATHER_TOKEN" \]\n\n# next\n\[tui\]\n$/);
});

test.each([
  [["--name", "a b"], "--name cannot be"],
  [["--url", "ftp://x"], "--url must begin with"],
  [["--url", "http://u:p@x/mcp"], "without a password"],
  [["--bearer", "X"], "--bearer goes with --url"],
  [["--url", "http://x/mcp", "--bearer", "sk-123 4"], "not its value"],
])("[C-export] %j: a usage error, and nothing is written", async (args, message) => {
  const { cwd, run } = project();
  const { code, stderr } = await run("cursor", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(existsSync(join(cwd, ".cursor"))).toBe(false);
});
