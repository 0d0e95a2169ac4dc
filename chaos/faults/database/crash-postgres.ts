import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const crashPostgres: Fault = {
  name: "crash-postgres",
  about: "kill -9 of PostgreSQL, which is started again after up to 8 s",
  async strike({ database }, random) {
    await database.primary.stop("crash");
    await sleep(random.between(0, 8000));
    await database.primary.start();
  },
};
