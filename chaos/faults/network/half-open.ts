import type { Fault } from "../../fault.ts";

export const halfOpen: Fault = {
  name: "half-open",
  about: "the connections of one instance carry nothing any more and are never closed; new ones work",
  async strike({ instances }, random) {
    random.pick(instances).way.freeze();
  },
};
