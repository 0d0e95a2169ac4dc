import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseStat } from "../../src/process/tree.ts";

/** Whether a process runs; one that is dead but not yet buried does not. */
export function isAlive(pid: number): boolean {
  try {
    if (process.platform === "linux")
      return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1")).length > 0;
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until something holds; fails after a time that no healthy run needs. */
export async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !holds(); ) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await sleep(10);
  }
}

/** The process ids of a process's watchdogs. */
export function watchdogsOf(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .flatMap((line) => (line.endsWith(` mci-watchdog ${pid}`) ? [Number.parseInt(line, 10)] : []));
}
