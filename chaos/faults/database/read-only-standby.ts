import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";
import { configure } from "../../world/database.ts";

export const readOnlyStandby: Fault = {
  name: "read-only-standby",
  about: "for 2 to 8 s the database's address leads to a standby that is not promoted yet (25006)",
  async strike({ database }, random) {
    const { primary, replica } = database;
    if (replica) database.redirect(replica);
    else await configure(primary, "default_transaction_read_only", "on");
    await sleep(random.between(2000, 8000));
    if (replica) database.redirect(primary);
    else await configure(primary, "default_transaction_read_only", "off");
  },
};
