import { Agent, loadFetch } from "../undici.ts";
import { ProxyAgents } from "./proxy-agent.ts";
import type { ProxyRules } from "./settings.ts";

const TIMEOUT_MS = 60_000;

/** The global `fetch` through proxies, and what ends its connections. */
export interface ProxyFetch {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

export async function openProxyFetch(rules: ProxyRules): Promise<ProxyFetch> {
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
