import type { Suite } from "../suite.ts";
import { engineAlone } from "./council-engine.ts";
import { simulatedVoting } from "./council-grid.ts";
import { leaving } from "./council-leaving.ts";
import { load } from "./council-load.ts";
import { waiting } from "./council-waiting.ts";
import { wireVoting } from "./council-wire.ts";

export const suite: Suite = {
  title: "The council",
  about:
    "All calls go to the local provider (`mci-council-sim`), never to a real model. Tables marked so run in simulated time: " +
    "the same provider and engine, with a clock that jumps to the next event. All others use real processes and sockets.",
  async run() {
    // The AI SDK would print a line per parameter it drops.
    (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
    return [
      ...(await engineAlone()),
      ...(await waiting()),
      ...(await leaving()),
      await load(),
      await wireVoting(),
      ...(await simulatedVoting()),
    ];
  },
};
