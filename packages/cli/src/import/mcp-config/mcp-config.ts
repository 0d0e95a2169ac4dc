import { isObject } from "@mci-ts/primitives/is-object";
import { type WrittenSettings, writeServer } from "mci-ts/authoring";
import { CliError } from "../../cli-error.ts";
import type { Imported, Skipped } from "../imported.ts";
import { parseLoose } from "../parse-loose.ts";
import { convertServer } from "./server.ts";
import { ConfigVariables } from "./variables.ts";

/**
 * The MCP servers of a client's configuration. Claude Desktop, Claude Code, Cursor, Windsurf and others call them
 * `mcpServers`, VS Code `servers` (or `mcp.servers` in its settings), Zed `context_servers`. Secrets do not go into the
 * file: they become variables.
 */
export function importMcpConfig(text: string): Imported {
  if (/^[ \t]*\[(?:mcp_servers|mcp)[.\]]/m.test(text)) {
    throw new CliError("The file is TOML, which is not read.", {
      hint: 'Write its servers as JSON: {"mcpServers": {"name": {"command": "…", "args": []}}}.',
    });
  }
  const config = parseLoose(text);
  const servers = serversOf(config);
  if (servers === undefined) {
    throw new CliError("The file has no 'mcpServers' or 'servers'.", {
      hint: "Name the configuration of an MCP client, such as claude_desktop_config.json, .mcp.json, .cursor/mcp.json or .vscode/mcp.json.",
    });
  }
  const variables = new ConfigVariables(isObject(config) ? config.inputs : undefined);
  const skipped: Skipped[] = [];
  const warnings: string[] = [];
  const entries: [string, WrittenSettings][] = [];
  const read = new Set<string>();
  for (const [name, server] of Object.entries(servers)) {
    const warn = (message: string) => void warnings.push(`${name}: ${message}`);
    const result = isObject(server) ? convertServer(name, server, variables, warn) : "is not an object";
    if (typeof result === "string") skipped.push({ what: name, reason: result, byChoice: false });
    else entries.push([name, writeServer(result, read)]);
  }
  return {
    document: { schemaVersion: "1.0", mcp_servers: Object.fromEntries(entries) },
    skipped,
    warnings: [...warnings, ...variables.warnings],
    variables: variables.readBy(read),
    secrets: variables.values,
  };
}

function serversOf(config: unknown): Record<string, unknown> | undefined {
  if (!isObject(config)) return undefined;
  const nested = isObject(config.mcp) ? config.mcp : {};
  return [
    config.mcpServers,
    config.servers,
    config.context_servers,
    nested.servers,
    config["mcp.servers"],
  ].find(isObject);
}
