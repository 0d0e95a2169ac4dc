declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}

declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export default Client;
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import { EnvHttpProxyAgent } from "undici";
  export default EnvHttpProxyAgent;
}

declare module "undici/lib/core/connect.js" {
  import type { Socket } from "node:net";
  import { buildConnector } from "undici";

  type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  export default function build(options: buildConnector.BuildOptions & { lookup?: unknown }): Connect;
}

declare module "undici/lib/web/fetch/index.js" {
  export { fetch } from "undici";
}

declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export default Pool;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";

  const connect: Dispatcher["connect"];
  export default connect;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  import type { Agent, buildConnector, Dispatcher } from "undici";

  type Connect = ReturnType<typeof import("undici/lib/core/connect.js").default>;
  /** The published types leave `connect` out of what factories get. */
  interface Options extends Omit<Agent.Options, "factory"> {
    uri: string;
    token?: string;
    connectTimeout?: number;
    proxyTls?: buildConnector.BuildOptions;
    requestTls?: buildConnector.BuildOptions;
    clientFactory?(origin: URL, options: { connect: Connect }): Dispatcher;
    factory?(origin: string | URL, options: Agent.Options & { connect: Connect }): Dispatcher;
  }
  export default class ProxyAgent extends Dispatcher {
    constructor(options: Options);
  }
}
