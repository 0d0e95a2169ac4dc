import type { Fault } from "../../fault.ts";

export const restartPostgres: Fault = {
  name: "restart-postgres",
  about: "an ordinary restart of PostgreSQL (fast shutdown)",
  async strike({ database }) {
    await database.primary.stop("fast");
    await database.primary.start();
  },
};
