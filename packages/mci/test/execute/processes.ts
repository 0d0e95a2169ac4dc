import { spawnSync } from "node:child_process";

/** The process ids of a process's watchdogs. */
export function watchdogsOf(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .flatMap((line) => (line.endsWith(` mci-watchdog ${pid}`) ? [Number.parseInt(line, 10)] : []));
}
