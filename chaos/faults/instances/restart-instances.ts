import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";
import { waitUntil } from "../../wait.ts";

export const restartInstances: Fault = {
  name: "restart-instances",
  about: "a rolling restart: SIGTERM to one instance after the other",
  async strike({ instances }) {
    for (const instance of instances) {
      const { starts } = instance;
      instance.signal("SIGTERM");
      await waitUntil(() => instance.starts > starts, 30_000);
      await waitUntil(instance.isReady, 30_000);
      await sleep(500);
    }
  },
};
