import type { Suite } from "../suite.ts";
import { cancelled } from "./agent-cancel.ts";
import { layerCost } from "./agent-layer.ts";
import { sessions } from "./agent-sessions.ts";

export const suite: Suite = {
  title: "The council as an agent's model: what the layer costs",
  about:
    "The service, the clients and the simulated provider are processes of one machine and share its cores. Bare: the same requests, sent straight to the provider. Requests are those of an agent with six tools and a system prompt of 4 kB, streamed, over connections that stay open. The first table has the history on disk, where the start of a step is written before the provider is asked.",
  async run() {
    return [...(await layerCost()), await sessions(), await cancelled()];
  },
};
