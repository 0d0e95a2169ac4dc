// The two modules of undici that are used. Its main entry loads four times as much code (fetch, caches, mocks), which the
// first call would pay for. undici's version is pinned, and every http test imports these paths.

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
