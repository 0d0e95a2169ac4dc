import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Fault } from "../../fault.ts";

export const lockTables: Fault = {
  name: "lock-tables",
  about: "another session locks every table of the schema council for 2 to 6 s, as a careless migration does",
  async strike({ database }, random) {
    const url = database.primary.url(database.primary.port);
    const client = new pg.Client({ connectionString: url, application_name: "greedy" });
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query("BEGIN");
      await client.query("SET LOCAL lock_timeout = '5s'");
      const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'council'");
      for (const { tablename } of rows) await client.query(`LOCK TABLE council."${tablename}"`);
      await sleep(random.between(2000, 6000));
      await client.query("COMMIT");
    } catch {
      // A deadlock with the service, or no lock in time: the transaction was rolled back.
    } finally {
      await client.end();
    }
  },
};
