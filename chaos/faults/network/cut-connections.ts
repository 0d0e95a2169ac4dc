import type { Fault } from "../../fault.ts";

export const cutConnections: Fault = {
  name: "cut-connections",
  about: "every connection of one instance to the database is closed",
  async strike({ instances }, random) {
    random.pick(instances).way.cut();
  },
};
