import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../fault.ts";

export const fillDisk: Fault = {
  name: "fill-disk",
  about: "the database's disk is full for 3 to 8 s",
  impossible: ({ disk }) => disk.unfillable,
  async strike({ database, disk }, random) {
    disk.fill();
    await sleep(random.between(3000, 8000));
    disk.free();
    // Without room for its log PostgreSQL ends, and whatever watches it starts it again.
    for (const server of [database.primary, database.replica])
      if (
        server &&
        !(await server.query("SELECT 1").then(
          () => true,
          () => false,
        ))
      ) {
        await server.stop("crash");
        await server.start();
      }
  },
};
