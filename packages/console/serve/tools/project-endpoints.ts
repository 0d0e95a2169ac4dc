import { ApiFailure } from "./failure.ts";
import { json } from "./json-response.ts";
import { serverStates } from "./server-states.ts";
import type { ToolsRequest, ToolsSource } from "./source.ts";

export async function listVariables(source: ToolsSource): Promise<Response> {
  return json({ variables: await source.variables(), settable: source.setVariable !== undefined });
}

/** For this process only: no file is written, and no value is ever shown again. `value: null` takes it back. */
export async function setVariable(
  source: ToolsSource,
  { body }: ToolsRequest,
  name: string,
): Promise<Response> {
  if (source.setVariable === undefined)
    throw new ApiFailure(403, "read_only", "Variables cannot be set from this page.");
  const { value } = (body ?? {}) as { value?: unknown };
  if ((typeof value !== "string" && value !== null) || !/^[A-Za-z_]\w{0,200}$/.test(name))
    throw new ApiFailure(400, "invalid_request", "Send { value }: a text, or null to take it back.");
  await source.setVariable(name, value ?? undefined);
  return listVariables(source);
}

export function listServers(source: ToolsSource): Response {
  return json({ servers: serverStates(source.client()) });
}

export function serverLog(source: ToolsSource, _: ToolsRequest, name: string): Response {
  requireServer(source, name);
  return json(source.messages.list(name));
}

export async function restartServer(
  source: ToolsSource,
  { signal }: ToolsRequest,
  name: string,
): Promise<Response> {
  requireServer(source, name);
  const hasTools = source
    .client()
    .tools()
    .some(({ execution }) => execution.type === "mcp" && execution.serverName === name);
  try {
    await source.restartServer(name, signal);
  } catch (error) {
    throw new ApiFailure(502, "mcp_restart_failed", (error as Error).message);
  } finally {
    // Its tools are missing from a file that was loaded while it failed.
    if (!hasTools) await source.reload().catch(() => {});
  }
  return listServers(source);
}

function requireServer(source: ToolsSource, name: string): void {
  if (
    !source
      .client()
      .mcpServers()
      .some((server) => server.name === name)
  )
    throw new ApiFailure(404, "server_not_found", `The file has no MCP server "${name}".`);
}
