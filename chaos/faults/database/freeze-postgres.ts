import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const freezePostgres: Fault = {
  name: "freeze-postgres",
  about:
    "SIGSTOP of PostgreSQL with all its processes for 3 to 40 s: connections are accepted and nothing is answered",
  async strike({ database }, random) {
    const thaw = await database.primary.freeze();
    await sleep(random.between(3000, 40_000));
    thaw();
  },
};
