import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const stopInstance: Fault = {
  name: "stop-instance",
  about: "SIGSTOP of an instance for 2 to 12 s: others take it for dead, and it wakes up",
  async strike({ instances }, random) {
    const instance = random.pick(instances);
    instance.signal("SIGSTOP");
    await sleep(random.between(2000, 12_000));
    instance.signal("SIGCONT");
  },
};
