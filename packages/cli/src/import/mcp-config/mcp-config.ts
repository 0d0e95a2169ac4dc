import { isObject } from "@mci-ts/primitives/is-object";
import { type WrittenSettings, writeServer } from "mci-ts/authoring";
import { CliError } from "../../cli-error.ts";
import { CLIENTS } from "../../clients/clients.ts";
import { parseToml } from "../../clients/toml.ts";
import type { Imported, Skipped } from "../imported.ts";
import { parseLooseDocument } from "../parse-loose.ts";
import { convertServer } from "./server.ts";
import { ConfigVariables } from "./variables.ts";

/**
 * The MCP servers of a client's configuration, JSON or TOML: the list that one of the `CLIENTS` has, or `mcp.servers` in
 * the settings of VS Code. Secrets do not go into the file: they become variables.
 */
export function importMcpConfig(text: string): Imported {
  const isToml = text.split("\n").some((line) => TOML_SERVERS.test(line.trimStart()));
  const config = isToml
    ? parseToml(text, "The configuration")
    : parseLooseDocument(text, "The configuration");
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
    warnings: [...warnings, ...projectServers(config), ...variables.warnings],
    variables: variables.readBy(read),
    secrets: variables.values,
  };
}

const TOML_SERVERS = /^\[{0,2}["']?(?:mcp_servers|mcp)["']?[ \t]{0,9}[.\]=]/;

/** Claude Code keeps the servers of each project beside those of the user. */
function projectServers(config: unknown): string[] {
  const projects = isObject(config) && isObject(config.projects) ? Object.entries(config.projects) : [];
  return projects.flatMap(([folder, project]) => {
    const servers = isObject(project) && isObject(project.mcpServers) ? Object.keys(project.mcpServers) : [];
    return servers.length > 0
      ? [`Left out, as they belong to the project ${folder}: ${servers.join(", ")}`]
      : [];
  });
}

function serversOf(config: unknown): Record<string, unknown> | undefined {
  if (!isObject(config)) return undefined;
  const nested = isObject(config.mcp) ? config.mcp : {};
  const keys = new Set(Object.values(CLIENTS).map(({ servers }) => servers));
  // opencode has its servers where the settings of VS Code have a list of them.
  if (isObject(nested.servers) && nested.servers.type === undefined) keys.delete("mcp");
  const lists = [...[...keys].map((key) => config[key]), nested.servers, config["mcp.servers"]].filter(
    (list) => isObject(list) && list.type === undefined,
  );
  // The first list wins where two name a server.
  return lists.length === 0 ? undefined : Object.assign({}, ...lists.toReversed());
}
