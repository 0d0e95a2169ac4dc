import type { Dispatcher, Pool } from "undici";
import { type Connector, loadProxyAgent } from "../undici.ts";
import { explainProxyError, unreachable } from "./proxy-error.ts";
import type { ProxyRules, ProxyServer } from "./settings.ts";

export interface ProxyAgentOptions {
  /** Settings of the connections through the proxy. */
  readonly pool: Pool.Options;
  /** Milliseconds for connecting to the proxy, and again for its response. */
  readonly timeoutMs: number;
  /** Changes how sockets are opened. Default: not changed. */
  readonly wrapConnector?: (connect: Connector) => Connector;
}

/** The connections through the proxies of one client. */
export class ProxyAgents {
  readonly #rules: ProxyRules;
  readonly #agents: ReadonlyMap<ProxyServer, Dispatcher>;

  static async open(rules: ProxyRules, options: ProxyAgentOptions): Promise<ProxyAgents> {
    const open = await proxyAgentFactory(options);
    return new ProxyAgents(rules, new Map(rules.proxies.map((proxy) => [proxy, open(proxy)])));
  }

  private constructor(rules: ProxyRules, agents: ReadonlyMap<ProxyServer, Dispatcher>) {
    this.#rules = rules;
    this.#agents = agents;
  }

  /** undefined: the origin is reached directly. */
  dispatcherFor(origin: string): Dispatcher | undefined {
    const proxy = this.#rules.proxyFor(origin);
    return proxy && this.#agents.get(proxy);
  }

  /** Chooses for every request, and so for every redirect. */
  routing(direct: Dispatcher): Dispatcher {
    const dispatch: Dispatcher["dispatch"] = (options, handler) =>
      (this.dispatcherFor(String(options.origin)) ?? direct).dispatch(options, handler);
    return { dispatch } as Dispatcher;
  }

  /** The error of a request, with what the proxy had to do with it. */
  explain(origin: string, error: Error): Error {
    const proxy = this.#rules.proxyFor(origin);
    return proxy === undefined ? error : explainProxyError(proxy.origin, error);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}

async function proxyAgentFactory({
  pool,
  timeoutMs,
  wrapConnector = (connect) => connect,
}: ProxyAgentOptions): Promise<(proxy: ProxyServer) => Dispatcher> {
  const { ProxyAgent, Pool, tunnelPool } = await loadProxyAgent();
  return ({ origin, authorization }) => {
    /** Says of which hop an error is. */
    const explained = (explain: typeof explainProxyError) => (connect: Connector) =>
      wrapConnector((options, callback) =>
        connect(options, (...[error, socket]) =>
          error ? callback(explain(origin, error), null) : callback(null, socket!),
        ),
      );
    const toProxy = explained(unreachable);
    /** Through the proxy: the error may be the proxy's or the server's. */
    const tunnel = explained(explainProxyError);
    return new ProxyAgent({
      ...pool,
      uri: origin,
      ...(authorization === undefined ? {} : { token: authorization }),
      connectTimeout: timeoutMs,
      proxyTls: { allowH2: false },
      requestTls: { allowH2: false },
      clientFactory: (url, { connect }) =>
        tunnelPool(url, { allowH2: false, headersTimeout: timeoutMs, connect: toProxy(connect) }),
      // Plain http goes to the proxy itself, everything else through a tunnel.
      factory: (url, { connect, ...options }) => {
        const isForwarded = new URL(url).origin === origin;
        return new Pool(url, { ...pool, ...options, connect: (isForwarded ? toProxy : tunnel)(connect) });
      },
    });
  };
}
