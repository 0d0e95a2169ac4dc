import type { MCIClient } from "mci-ts";
import { ApiFailure } from "../failure.ts";
import type { SourceCounts } from "./types.ts";

/* A source is `main`, the file itself, or `mcp:NAME`, one of its servers. */

const SERVER = "mcp:";

export const sourceOf = (server: string) => `${SERVER}${server}`;

export function requireSource(client: MCIClient, source: string): void {
  if (source === "main" || (source.startsWith(SERVER) && hasServer(client, source.slice(SERVER.length))))
    return;
  throw new ApiFailure(404, "source_not_found", `The file has no source "${source.slice(0, 200)}".`);
}

export function requireServer(client: MCIClient, name: string): void {
  if (!hasServer(client, name))
    throw new ApiFailure(404, "server_not_found", `The file has no MCP server "${name.slice(0, 200)}".`);
}

function hasServer(client: MCIClient, name: string): boolean {
  return client.mcpServers().some((server) => server.name === name);
}

/** Takes out what a server was sent and may repeat. What the file's own say is their author's, as results of its tools are. */
export function maskOf(client: MCIClient, source: string): <T>(value: T) => T {
  if (!source.startsWith(SERVER)) return (value) => value;
  return (value) => client.maskMcpSecrets(source.slice(SERVER.length), value);
}

export async function countsOf(client: MCIClient, source: string): Promise<SourceCounts> {
  const { resources, resourceTemplates, prompts, skills } = await client.contentCounts(source);
  return { resources, templates: resourceTemplates, prompts, skills };
}

const STATUS: Readonly<Record<string, number>> = {
  resource_not_found: 404,
  prompt_not_found: 404,
  request_failed: 502,
};

/** A response of a wrong shape is wrong in each of its parts, and the message lists them all. */
const MAX_MESSAGE = 4000;

/** What failed at a server is not the fault of this one, and says so. */
export function toFailure(error: unknown): unknown {
  const { name, code = "", message } = error as Error & { code?: string };
  const status = name === "MCIClientError" ? STATUS[code] : undefined;
  if (status === undefined) return error;
  const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return new ApiFailure(status, code, text);
}
