/*
 * The only file that knows undici's layout. Its main entry loads four times as much code (fetch, caches, mocks), which
 * the first call would pay for. The version is pinned, and every http test imports these paths.
 */

export { default as buildConnector } from "undici/lib/core/connect.js";
export { default as Agent } from "undici/lib/dispatcher/agent.js";

/** Half of undici's code: only MCP servers over HTTP need it. */
export async function loadFetch(): Promise<typeof import("undici").fetch> {
  return (await import("undici/lib/web/fetch/index.js")).fetch;
}
