declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
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
