import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const providerDown: Fault = {
  name: "provider-down",
  about: "the model provider answers every call with 500 for 2 to 8 s",
  async strike({ model }, random) {
    model.weather = "500";
    await sleep(random.between(2000, 8000));
    model.weather = undefined;
  },
};
