import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SAMPLE_INPUT, sampleTool } from "../../bench/sample-tools.ts";
import { LineProcess } from "../prepare/line-process.ts";
import type { Workspace } from "./worker.ts";

const ECHO = fileURLToPath(new URL("echo.ts", import.meta.url));
export const MCP_SERVER = fileURLToPath(new URL("mcp-server.ts", import.meta.url));

/** The files that every peer works on, and the server that it asks. */
export async function createWorkspace(): Promise<Workspace & { remove(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "mci-compare-"));
  const echo = new LineProcess(process.execPath, [ECHO], dir);
  const { origin } = await echo.ask<{ origin: string }>({}, 10_000);
  const mcpServer = { command: process.execPath, args: [MCP_SERVER] };
  const write = (name: string, content: unknown) => writeFileSync(join(dir, name), JSON.stringify(content));

  for (const count of [10, 1000, 10_000]) {
    const indexes = Array.from({ length: count }, (_, index) => index);
    write(`tools-${count}.mci.json`, { schemaVersion: "1.0", tools: indexes.map(sampleTool) });
    write(`manual-${count}.json`, manual(indexes.map(sampleUtcpTool)));
  }
  write(
    "rows.json",
    Array.from({ length: 2000 }, (_, index) => ({ name: `row ${index}`, value: index })),
  );
  writeFileSync(join(dir, "plain.txt"), "line of text\n".repeat(200));
  write("kinds.mci.json", kinds(dir, origin));
  for (const peer of ["mci-ts", "mci-py"]) {
    write(`oauth-${peer}.mci.json`, { schemaVersion: "1.0", tools: oauthTools(origin, peer) });
    const servers = { greeter: { ...mcpServer, config: { expDays: 1 } } };
    write(`mcp-${peer}.mci.json`, {
      schemaVersion: "1.0",
      tools: [],
      libraryDir: `./lib-${peer}`,
      mcp_servers: servers,
    });
  }
  write("manual-kinds.json", utcpKinds(origin));
  return {
    dir,
    origin,
    mcpServer,
    async remove() {
      await echo.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** As near to the same as its format allows: text and http in turn. */
function sampleUtcpTool(index: number) {
  const templates = [
    { call_template_type: "text", content: `Tool ${index} says` },
    {
      call_template_type: "http",
      http_method: "GET",
      url: `https://api.example.com/${index}/{q}`,
      headers: { "X-Key": "KEY" },
    },
  ];
  return utcpTool(`tool_${index}`, templates[index % templates.length]!, SAMPLE_INPUT);
}

function kinds(dir: string, origin: string) {
  const rows = "@foreach(row in props.rows){{row.name}}: {{row.value}}\n@endforeach";
  const executions = {
    text: { type: "text", text: "Hello {{props.name}}, you are {{props.age}}." },
    render: { type: "text", text: rows },
    file: { type: "file", path: `${dir}/plain.txt`, enableTemplating: false },
    cli: { type: "cli", command: "true" },
    http: { type: "http", url: `${origin}/hops/0` },
  };
  const tools = Object.entries(executions).map(([name, execution]) => ({ name, execution }));
  return { schemaVersion: "1.0", tools };
}

/** One client for calls that come one by one, another for those that come at once: no token is there yet. */
function oauthTools(origin: string, peer: string) {
  return ["alone", "together"].map((name) => ({
    name,
    execution: {
      type: "http",
      url: `${origin}/protected/${peer}-${name}/1`,
      auth: {
        type: "oauth2",
        flow: "clientCredentials",
        tokenUrl: `${origin}/token`,
        clientId: `${peer}-${name}`,
        clientSecret: "right",
      },
    },
  }));
}

function utcpKinds(origin: string) {
  const http = { call_template_type: "http", http_method: "GET" };
  const protectedTool = (name: string) =>
    utcpTool(name, {
      ...http,
      url: `${origin}/protected/utcp-${name}/1`,
      auth: {
        auth_type: "oauth2",
        token_url: `${origin}/token`,
        client_id: `utcp-${name}`,
        client_secret: "right",
      },
    });
  return manual([
    utcpTool("text", { call_template_type: "text", content: "Hello Ada, you are 36." }),
    utcpTool("http", { ...http, url: `${origin}/hops/0` }),
    protectedTool("alone"),
    protectedTool("together"),
  ]);
}

function utcpTool(name: string, template: object, inputs: object = { type: "object", properties: {} }) {
  return { name, description: `Sample ${name}`, inputs, outputs: {}, tags: [], tool_call_template: template };
}

function manual(tools: readonly object[]) {
  return { utcp_version: "1.0.0", manual_version: "1.0.0", tools };
}
