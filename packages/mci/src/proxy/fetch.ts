import { type ProxySettings, readProxyRules } from "./settings.ts";

export { PROXY_ADDRESS, parseProxy } from "./settings.ts";

const TIMEOUT_MS = 60_000;

/** The global `fetch` through proxies, and what ends its connections. */
export interface ProxyFetch {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** undefined: the settings name no proxy. What opens connections is loaded only here. */
export async function openProxyFetch(settings: ProxySettings): Promise<ProxyFetch | undefined> {
  const rules = readProxyRules(settings);
  if (rules === undefined) return undefined;
  const [{ Agent, loadFetch }, { ProxyAgents }] = await Promise.all([
    import("../undici.ts"),
    import("./proxy-agent.ts"),
  ]);
  const send = await loadFetch();
  const direct = new Agent();
  const proxies = await ProxyAgents.open(rules, { pool: {}, timeoutMs: TIMEOUT_MS });
  const dispatcher = proxies.routing(direct);
  return {
    fetch: (async (url: string, init?: object) => send(url, { ...init, dispatcher })) as typeof fetch,
    close: async () => {
      await Promise.allSettled([direct.destroy(), proxies.close()]);
    },
  };
}
