import { readFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "../toolsets/support.ts";
import { ownServer } from "./support.ts";

/** A server as a file says it, and its log. */
export function server(name: string, ...args: string[]) {
  const { config, log } = ownServer(name, ...args);
  const { type: _, ...settings } = config;
  return { settings: settings as Record<string, unknown>, log };
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
