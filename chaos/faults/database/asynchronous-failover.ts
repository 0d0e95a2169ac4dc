import type { Fault } from "../../fault.ts";
import { waitUntil } from "../../wait.ts";
import { needsReplica } from "./synchronous-failover.ts";

export const asynchronousFailover: Fault = {
  name: "asynchronous-failover",
  about:
    "the replica falls 0.5 to 3 s behind, then the primary dies: its last commits are lost, and nothing else may be",
  impossible: needsReplica,
  async strike({ database, instances, losses }, random) {
    // Clients ask meanwhile whether what they miss may be lost.
    const loss = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    losses.push(loss);
    const starts = instances.map((one) => one.starts);
    try {
      await database.failOver(random.between(500, 3000));
      // What was committed before the crash is acknowledged after it, until the processes that saw it committed have ended.
      await waitUntil(() => instances.every((one, index) => one.starts > starts[index]!), 20_000);
    } finally {
      loss.to = performance.now();
    }
    await database.addReplica();
  },
};
