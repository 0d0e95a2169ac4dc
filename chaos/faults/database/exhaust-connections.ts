import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Fault } from "../../fault.ts";

export const exhaustConnections: Fault = {
  name: "exhaust-connections",
  about:
    "another program takes all connections that PostgreSQL has left (53300), and an instance restarts meanwhile",
  async strike({ database, instances }, random) {
    const taken: pg.Client[] = [];
    const url = database.primary.url(database.primary.port);
    const end = performance.now() + random.between(5000, 10_000);
    try {
      random.pick(instances).signal("SIGKILL");
      while (performance.now() < end) {
        const client = new pg.Client({ connectionString: url, application_name: "greedy" });
        client.on("error", () => undefined);
        try {
          await client.connect();
          taken.push(client);
        } catch {
          // As intended: what becomes free is taken as well.
          await sleep(50);
        }
      }
    } finally {
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
    }
  },
};
