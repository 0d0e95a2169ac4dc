import type { Fault } from "../../fault.ts";
import { needsReplica } from "./synchronous-failover.ts";

export const asynchronousFailover: Fault = {
  name: "asynchronous-failover",
  about:
    "the replica falls 0.5 to 3 s behind, then the primary dies: its last commits are lost, and nothing else may be",
  impossible: needsReplica,
  async strike({ database, losses }, random) {
    const from = performance.now();
    await database.failOver(random.between(500, 3000));
    losses.push({ from, to: performance.now() });
    await database.addReplica();
  },
};
