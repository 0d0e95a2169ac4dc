import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const slowNetwork: Fault = {
  name: "slow-network",
  about: "100 to 400 ms more for each packet between one instance and the database, for 5 s",
  async strike({ instances }, random) {
    const { way } = random.pick(instances);
    way.weather.delayMs = random.between(100, 400);
    await sleep(5000);
    way.calm();
  },
};
