import type { Fault } from "../../fault.ts";

export const killInstance: Fault = {
  name: "kill-instance",
  about: "kill -9 of an instance, which its supervisor starts again",
  async strike({ instances }, random) {
    random.pick(instances).signal("SIGKILL");
  },
};
