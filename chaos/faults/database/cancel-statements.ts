import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const cancelStatements: Fault = {
  name: "cancel-statements",
  about: "every statement that runs is cancelled (57014), 40 times in 4 s",
  async strike({ database }) {
    for (let i = 0; i < 40; i++) {
      await database.primary.query(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'council%' AND state <> 'idle'",
      );
      await sleep(100);
    }
  },
};
