import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const blackHole: Fault = {
  name: "black-hole",
  about: "for 3 to 15 s nothing passes between one instance and the database, and nothing is closed",
  async strike({ instances }, random) {
    const { way } = random.pick(instances);
    way.weather.blackHole = true;
    await sleep(random.between(3000, 15_000));
    way.calm();
  },
};
