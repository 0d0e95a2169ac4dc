import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { isAlive, until, watchdogsOf } from "../../test/execute/processes.ts";
import { watchGroup } from "./watchdog.ts";

/** A process group of one. */
function startGroup(): number {
  const { pid } = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void (isAlive(pid!) && process.kill(pid!, "SIGKILL")));
  return pid!;
}

test("all groups share one watchdog, which ends once there are none", async () => {
  const releases = [watchGroup(startGroup()), watchGroup(startGroup())];
  const [watchdog, ...others] = watchdogsOf(process.pid);
  expect(others).toEqual([]);
  expect(isAlive(watchdog!)).toBe(true);
  for (const release of releases) release();
  await until(() => !isAlive(watchdog!));
});

test("one that is killed is replaced by one that knows the groups which still run", async () => {
  const [watched, released] = [startGroup(), startGroup()];
  const script = `
    const { watchGroup } = await import(${JSON.stringify(new URL("watchdog.ts", import.meta.url).href)});
    watchGroup(${watched});
    watchGroup(${released})();
    console.log("ready");
    setInterval(() => {}, 1 << 30);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  const [first] = watchdogsOf(holder.pid!);
  process.kill(first!, "SIGKILL");
  await until(() => watchdogsOf(holder.pid!).some((watchdog) => watchdog !== first));
  holder.kill("SIGKILL");
  await until(() => !isAlive(watched));
  expect(isAlive(released)).toBe(true);
});
