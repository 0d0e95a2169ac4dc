import { isObject } from "../../../mci/src/is-object.ts";
import { CliError } from "../cli-error.ts";
import type { Imported, Skipped, Variable } from "./imported.ts";
import { parseLoose } from "./parse-loose.ts";

/**
 * The MCP servers of a client's configuration. Claude Desktop, Claude Code and Cursor call them `mcpServers`, VS Code
 * `servers` (or `mcp.servers` in its settings). Secrets do not go into the file: they become variables.
 */
export function importMcpConfig(text: string): Imported {
  const config = parseLoose(text);
  const servers = serversOf(config);
  if (servers === undefined) {
    throw new CliError("The file has no 'mcpServers' or 'servers'.", {
      hint: "Name the configuration of an MCP client, such as claude_desktop_config.json, .mcp.json, .cursor/mcp.json or .vscode/mcp.json.",
    });
  }
  const variables = new Map<string, Variable>();
  const skipped: Skipped[] = [];
  const entries: [string, unknown][] = [];
  for (const [name, server] of Object.entries(servers)) {
    const result = isObject(server) ? convert(name, server, variables) : "is not an object";
    if (typeof result === "string") skipped.push({ what: name, reason: result, byChoice: false });
    else entries.push([name, result]);
  }
  return {
    document: { schemaVersion: "1.0", mcp_servers: Object.fromEntries(entries) },
    skipped,
    warnings: [],
    variables: [...variables.values()],
  };
}

function serversOf(config: unknown): Record<string, unknown> | undefined {
  if (!isObject(config)) return undefined;
  const nested = isObject(config.mcp) ? config.mcp : {};
  return [config.mcpServers, config.servers, nested.servers, config["mcp.servers"]].find(isObject);
}

function convert(
  name: string,
  server: Record<string, unknown>,
  variables: Map<string, Variable>,
): object | string {
  if (server.disabled === true || server.enabled === false) return "is disabled";
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.map((item) => template(String(item), variables)) : undefined;
  const secretMap = (value: unknown) => (isObject(value) ? secrets(name, value, variables) : undefined);
  if (typeof server.command === "string") {
    const args = texts(server.args);
    const env = secretMap(server.env);
    return {
      command: template(server.command, variables),
      ...(args ? { args } : {}),
      ...(env ? { env } : {}),
    };
  }
  const url = server.url ?? server.serverUrl;
  if (typeof url !== "string") return "has neither command nor url";
  const headers = secretMap(server.headers);
  return {
    ...(server.type === "sse" ? { type: "sse" } : {}),
    url: template(url, variables),
    ...(headers ? { headers } : {}),
  };
}

const SECRET = /key|token|secret|password|passwd|auth|credential|cookie|private|pat$/i;

/** Values that look secret become variables; the others stay. */
function secrets(
  server: string,
  values: Record<string, unknown>,
  variables: Map<string, Variable>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, given]) => {
      const value = String(given);
      if (!SECRET.test(key) || /\$\{/.test(value) || value === "") return [key, template(value, variables)];
      const isName = /^[A-Z][A-Z0-9_]*$/.test(key);
      const name = isName ? key : `${server}_${key}`.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
      const scheme = /^(Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
      note(variables, name, `${key} of MCP server '${server}'`, true);
      return [key, `${scheme}{{env.${name}}}`];
    }),
  );
}

/** `${NAME}`, `${env:NAME}` and `${NAME:-default}` of the clients are our placeholders; `${input:id}` asks, ours is set. */
function template(text: string, variables: Map<string, Variable>): string {
  return text
    .replaceAll("{{", "@{{")
    .replace(
      /\$\{(?:env:|input:)?([A-Za-z_][\w-]*)(?::-([^}]*))?\}/g,
      (_, name: string, fallback?: string) => {
        if (name === "workspaceFolder" || name === "userHome")
          return name === "userHome" ? "{{env.HOME}}" : ".";
        const variable = name.replaceAll("-", "_");
        note(variables, variable, "Used by an MCP server", fallback === undefined, fallback);
        return fallback === undefined
          ? `{{env.${variable}}}`
          : `{{env.${variable} | '${fallback.replaceAll("'", "")}'}}`;
      },
    );
}

function note(
  variables: Map<string, Variable>,
  name: string,
  description: string,
  required: boolean,
  fallback?: string,
): void {
  if (variables.has(name)) return;
  variables.set(name, {
    name,
    description,
    required,
    secret: true,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
}
