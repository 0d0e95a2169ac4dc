import type { MCIClient } from "mci-ts";
import { ApiFailure } from "../failure.ts";
import { json } from "../json-response.ts";
import { serverStates } from "../server-states.ts";
import type { Endpoint, ToolsSource } from "../source.ts";
import { LOG_LEVELS } from "./log-levels.ts";
import { countsOf, requireServer, sourceOf, toFailure } from "./sources.ts";
import type { ServerDetail, ServerList } from "./types.ts";

export async function listServers(source: ToolsSource): Promise<Response> {
  const client = source.client();
  return json({
    servers: serverStates(client),
    own: await countsOf(client, "main"),
  } satisfies ServerList);
}

export const showServer: Endpoint = async (source, _, name) => {
  const client = source.client();
  requireServer(client, name);
  return json(await detailOf(client, name));
};

export const serverLog: Endpoint = (source, _, name) => {
  requireServer(source.client(), name);
  return json(source.messages.list(name));
};

export const restartServer: Endpoint = async (source, { signal }, name) => {
  requireServer(source.client(), name);
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
};

/** One request that does nothing but come back. */
export const pingServer: Endpoint = async (source, { signal }, name) =>
  json(
    await ofServer(source, name, async (client) => ({
      duration_ms: await client.pingMcpServer(name, { signal }),
    })),
  );

/** `{ level }`: from which level on the server sends log messages. */
export const setLogLevel: Endpoint = async (source, { body, signal }, name) => {
  const { level: wanted } = (body ?? {}) as { level?: unknown };
  const level = LOG_LEVELS.find((each) => each === wanted);
  if (level === undefined)
    throw new ApiFailure(400, "invalid_request", `Send { level }, one of ${LOG_LEVELS.join(", ")}.`);
  return json(
    await ofServer(source, name, async (client) => {
      await client.setMcpLogLevel(name, level, { signal });
      return detailOf(client, name);
    }),
  );
};

/** Asks the server for its lists again. Those that it does not give are a warning at the server. */
export const refreshServer: Endpoint = async (source, _, name) =>
  json(
    await ofServer(source, name, async (client) => {
      await client.refreshMcpServer(name);
      return detailOf(client, name);
    }),
  );

async function ofServer<T>(
  source: ToolsSource,
  name: string,
  work: (client: MCIClient) => Promise<T>,
): Promise<T> {
  requireServer(source.client(), name);
  return source.use(work).catch((error) => {
    throw toFailure(error);
  });
}

async function detailOf(client: MCIClient, name: string): Promise<ServerDetail> {
  const { identity, logLevel } = client.mcpServers().find((server) => server.name === name)!;
  const instructions = client.instructions().find(({ server }) => server === name)?.text;
  return {
    ...serverStates(client).find((server) => server.name === name)!,
    ...(identity && { identity }),
    ...(instructions !== undefined && { instructions }),
    ...(logLevel && { log_level: logLevel }),
    counts: await countsOf(client, sourceOf(name)),
  };
}
