import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const providerBusy: Fault = {
  name: "provider-busy",
  about: "the model provider answers every call with 429 for 3 to 15 s",
  async strike({ model }, random) {
    model.weather = "429";
    await sleep(random.between(3000, 15_000));
    model.weather = undefined;
  },
};
