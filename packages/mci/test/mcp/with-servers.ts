import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { project } from "../toolsets/support.ts";
import { createWorkbench } from "./servers/workbench.ts";
import { listen, ownServer } from "./support.ts";

/** A server as a file says it, and its log. */
export function server(name: string, ...args: string[]) {
  const { config, log } = ownServer(name, ...args);
  const { type: _, ...settings } = config;
  return { settings: settings as Record<string, unknown>, log };
}

/** The workbench over HTTP, for tests that are not about processes, and how often its tools were listed. */
export async function webServer(): Promise<{ settings: { url: string }; lists: () => number }> {
  const { url, requests } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
  const lists = () => requests.filter(({ headers }) => headers["mcp-method"] === "tools/list").length;
  return { settings: { url }, lists };
}

export const entry = (mcp_servers: object, more: object = {}) => ({
  schemaVersion: "1.0",
  mcp_servers,
  ...more,
});
export const withServers = (servers: object, more: object = {}) =>
  project({ "tools.mci.json": entry(servers, more) });
export const cacheOf = (root: string, name: string) => join(root, "mci/mcp", `${name}.mci.json`);
export const readCache = (root: string, name: string) =>
  JSON.parse(readFileSync(cacheOf(root, name), "utf8"));
export const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
