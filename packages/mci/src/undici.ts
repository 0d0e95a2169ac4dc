/*
 * The only file of the library that knows undici's layout. Its main entry loads four times as much code (fetch, caches, mocks), which
 * the first call would pay for. The version is pinned, and every http test imports these paths.
 */
import type buildConnector from "undici/lib/core/connect.js";

export { default as buildConnector } from "undici/lib/core/connect.js";
export { default as Agent } from "undici/lib/dispatcher/agent.js";

/** Opens a socket for a dispatcher. */
export type Connector = ReturnType<typeof buildConnector>;

/** Half of undici's code: only MCP servers over HTTP need it. */
export async function loadFetch(): Promise<typeof import("undici").fetch> {
  return (await import("undici/lib/web/fetch/index.js")).fetch;
}

/** Only for clients that use a proxy. */
export async function loadProxyAgent() {
  const [{ default: ProxyAgent }, { default: Pool }, { default: connect }] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/dispatcher/pool.js"),
    import("undici/lib/api/api-connect.js"),
  ]);
  /** A pool that can ask for a tunnel; the main entry of undici would add that method to every dispatcher. */
  const tunnelPool = (url: URL, options: object) => Object.assign(new Pool(url, options), { connect });
  return { ProxyAgent, Pool, tunnelPool };
}
