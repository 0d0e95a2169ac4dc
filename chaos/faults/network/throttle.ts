import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const throttle: Fault = {
  name: "throttle",
  about: "20 to 100 kB/s between one instance and the database, for 5 s",
  async strike({ instances }, random) {
    const { way } = random.pick(instances);
    way.weather.bytesPerSecond = random.between(20_000, 100_000);
    await sleep(5000);
    way.calm();
  },
};
