import type { Fault } from "../../fault.ts";

export const resetConnections: Fault = {
  name: "reset-connections",
  about: "every connection of all instances to the database is reset (RST)",
  async strike({ instances }) {
    for (const { way } of instances) way.reset();
  },
};
