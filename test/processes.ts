import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether a process runs; one that is dead and not yet buried does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (!existsSync(`/proc/${pid}/stat`)) return true;
    // A zombie that has not been reaped yet is dead all the same, once its other threads are: they hold its pipes open.
    const isZombie = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return !isZombie || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}
