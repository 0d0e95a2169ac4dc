// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of other clients look like this
import { MCIClient } from "mci-ts";
import { describe, expect, test } from "vitest";
import { importMcpConfig } from "../src/import/mcp-config/mcp-config.ts";

/** Imports a configuration; whatever comes of it must load. */
async function imported(config: object | string) {
  const result = importMcpConfig(typeof config === "string" ? config : JSON.stringify(config));
  const client = await MCIClient.fromObject(result.document, { validating: true, unknownKeys: "error" });
  await client.close();
  const written = result.document.mcp_servers as unknown as Record<
    string,
    { envAllowList: readonly string[] }
  >;
  const read = Object.values(written).flatMap(({ envAllowList }) => envAllowList);
  expect(new Set(read)).toEqual(new Set(result.variables.map(({ name }) => name)));
  const servers = Object.entries(written).map(([name, { envAllowList, ...server }]) => [name, server]);
  return { ...result, servers: Object.fromEntries(servers) as Record<string, unknown> };
}

describe("[C-import-mcp] configurations of", () => {
  test("Claude Desktop: a program and its variables", async () => {
    const { servers, variables } = await imported({
      mcpServers: {
        github: {
          command: "npx",
          args: ["-y", "@modelcontextprotocol/server-github"],
          env: { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_abc", GITHUB_TOOLSETS: "repos" },
        },
      },
    });
    expect(servers).toEqual({
      github: {
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-github"],
        env: {
          GITHUB_PERSONAL_ACCESS_TOKEN: "{{env.GITHUB_PERSONAL_ACCESS_TOKEN}}",
          GITHUB_TOOLSETS: "repos",
        },
      },
    });
    expect(variables.map(({ name }) => name)).toEqual(["GITHUB_PERSONAL_ACCESS_TOKEN"]);
  });

  test("Claude Code: addresses, fallbacks", async () => {
    const { servers } = await imported({
      mcpServers: {
        api: {
          type: "http",
          url: "${API_BASE_URL:-https://api.example.com}/mcp",
          headers: { Authorization: "Bearer ${API_KEY}" },
        },
        old: { type: "sse", url: "https://mcp.example.com/sse" },
        local: { type: "stdio", command: "${CLAUDE_ROOT}/bin/server", args: [], env: {} },
      },
    });
    expect(servers).toEqual({
      api: {
        url: "{{env.API_BASE_URL | 'https://api.example.com'}}/mcp",
        headers: { Authorization: "Bearer {{env.API_KEY}}" },
      },
      old: { type: "sse", url: "https://mcp.example.com/sse" },
      local: { command: "{{env.CLAUDE_ROOT}}/bin/server", args: [], env: {} },
    });
  });

  test("Cursor: folders of the editor, an env file", async () => {
    const { servers, warnings } = await imported({
      mcpServers: {
        files: {
          command: "node",
          args: ["${workspaceFolder}${/}server.js", "${userHome}/notes"],
          envFile: "${workspaceFolder}/.env",
        },
      },
    });
    expect(servers).toEqual({ files: { command: "node", args: ["./server.js", "{{env.HOME}}/notes"] } });
    expect(warnings).toEqual(["files: its 'envFile' is not read: pass the file with --dotenv"]);
  });

  test("VS Code: what it asks its user for becomes variables with their descriptions", async () => {
    const { servers, variables, warnings } = await imported(`{
      // from the gallery
      "inputs": [{ "type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true }],
      "servers": {
        "perplexity": {
          "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"], "cwd": "\${workspaceFolder}",
          "env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" },
        },
      },
    }`);
    expect(servers).toMatchObject({ perplexity: { env: { PERPLEXITY_API_KEY: "{{env.perplexity_key}}" } } });
    expect(variables).toMatchObject([{ name: "perplexity_key", description: "Perplexity API Key" }]);
    expect(warnings[0]).toContain("'cwd' is left out");
  });

  test("Windsurf, Gemini CLI and Cline: other names for the address, servers that are off", async () => {
    const { servers, skipped } = await imported({
      mcpServers: {
        wind: { serverUrl: "https://w.example/mcp?api_key=abc123&team=a" },
        gemini: { httpUrl: "https://g.example/mcp" },
        cline: { transportType: "sse", url: "https://c.example/sse", disabled: false, autoApprove: [] },
        off: { command: "x", disabled: true },
      },
    });
    expect(servers).toEqual({
      wind: { url: "https://w.example/mcp?api_key={{env.WIND_API_KEY}}&team=a" },
      gemini: { url: "https://g.example/mcp" },
      cline: { type: "sse", url: "https://c.example/sse" },
    });
    expect(skipped).toMatchObject([{ what: "off", reason: "is disabled" }]);
  });

  test("Zed: both of its forms", async () => {
    const { servers } = await imported({
      theme: "One",
      context_servers: {
        now: { source: "custom", command: "npx", args: ["a"], env: {} },
        before: { command: { path: "npx", args: ["b"], env: { TOKEN: "x" } }, settings: {} },
      },
    });
    expect(servers).toEqual({
      now: { command: "npx", args: ["a"], env: {} },
      before: { command: "npx", args: ["b"], env: { TOKEN: "{{env.TOKEN}}" } },
    });
  });

  test("Codex: TOML, with variables that are passed on by name", async () => {
    const { servers, warnings } = await imported(
      '[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\nenv_vars = ["A_KEY", { name = "B", source = "remote" }]\n' +
        'startup_timeout_sec = 20\n[mcp_servers.docs.env]\nTOKEN = "abc"\n' +
        '[mcp_servers.web]\nurl = "https://mcp.example.com/mcp"\nbearer_token_env_var = "WEB"\n' +
        '[mcp_servers.web.env_http_headers]\n"X-Key" = "X_KEY"\n[mcp_servers.web.http_headers]\n"X-A" = "b"\n',
    );
    expect(servers).toEqual({
      docs: {
        command: "npx",
        args: ["-y", "docs"],
        env: { TOKEN: "{{env.TOKEN}}", A_KEY: "{{env.A_KEY}}", B: "{{env.B}}" },
      },
      web: {
        url: "https://mcp.example.com/mcp",
        headers: { "X-A": "b", "X-Key": "{{env.X_KEY}}", Authorization: "Bearer {{env.WEB}}" },
      },
    });
    expect(warnings).toContain("docs: its 'startup_timeout_sec' is left out");
    expect(() => importMcpConfig("[mcp_servers.docs]\ncommand = \n")).toThrow(/not valid TOML: .* at line 2/);
  });

  test("opencode: one list of words, and placeholders of its own", async () => {
    const { servers } = await imported({
      mcp: {
        local: { type: "local", command: ["npx", "-y", "x"], environment: { KEY: "{env:MY_KEY}" } },
        far: {
          type: "remote",
          url: "https://x.example/mcp",
          headers: { Authorization: "Bearer {env:TOKEN}" },
        },
        off: { type: "remote", url: "https://y.example", enabled: false },
      },
    });
    expect(servers).toEqual({
      local: { command: "npx", args: ["-y", "x"], env: { KEY: "{{env.MY_KEY}}" } },
      far: { url: "https://x.example/mcp", headers: { Authorization: "Bearer {{env.TOKEN}}" } },
    });
  });
});

test.each([
  [
    ["--api-key", "s3cr3t"],
    ["--api-key", "{{env.S_API_KEY}}"],
  ],
  [["--token=s3cr3t"], ["--token={{env.S_TOKEN}}"]],
  [
    ["mcp-remote", "https://a.example/sse", "--header", "Authorization: Bearer s3cr3t"],
    ["mcp-remote", "https://a.example/sse", "--header", "Authorization: Bearer {{env.S_AUTHORIZATION}}"],
  ],
  [
    ["--header", "Authorization:${AUTH}"],
    ["--header", "Authorization:{{env.AUTH}}"],
  ],
  [["postgresql://me:s3cr3t@db.example/x"], ["{{env.S_URL}}"]],
  [["https://a.example/?key=s3cr3t"], ["https://a.example/?key={{env.S_KEY}}"]],
  [
    ["--key-file", "/etc/key.pem"],
    ["--key-file", "/etc/key.pem"],
  ],
  [
    ["--no-auth", "plain"],
    ["--no-auth", "plain"],
  ],
])("[C-import-mcp] secrets in arguments become variables: %j", async (args, expected) => {
  const { servers, document } = await imported({ mcpServers: { s: { command: "npx", args } } });
  expect(servers).toEqual({ s: { command: "npx", args: expected } });
  expect(JSON.stringify(document)).not.toContain("s3cr3t");
});

test("[C-import-mcp] text that looks like a template of ours stays text", async () => {
  const { servers } = await imported({ mcpServers: { s: { command: "npx", args: ["{{env.HOME}}"] } } });
  expect(servers).toEqual({ s: { command: "npx", args: ["{{'{{'}}env.HOME}}"] } });
});
