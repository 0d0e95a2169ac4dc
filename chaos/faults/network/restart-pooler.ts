import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const restartPooler: Fault = {
  name: "restart-pooler",
  about: "kill -9 of pgbouncer, which is started again after up to 3 s",
  impossible: ({ pooler }) => (pooler ? undefined : "pgbouncer is not installed"),
  async strike({ pooler }, random) {
    pooler!.kill();
    await sleep(random.between(0, 3000));
    await pooler!.start();
  },
};
