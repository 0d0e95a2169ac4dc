import type { Fault } from "../../fault.ts";
import type { World } from "../../world/world.ts";

export const synchronousFailover: Fault = {
  name: "synchronous-failover",
  about: "kill -9 of the primary, and its synchronous replica takes over: no commit may be lost",
  impossible: needsReplica,
  async strike({ database }) {
    await database.failOver(0);
    await database.addReplica();
  },
};

export function needsReplica({ database }: World): string | undefined {
  return database.replica || database.programs.basebackup ? undefined : "pg_basebackup is not installed";
}
