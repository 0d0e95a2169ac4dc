import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { watchdogsOf } from "../../test/execute/processes.ts";
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

test("one that is killed is replaced by one that knows the groups which still run, and leaves alone what is released", async () => {
  const [released, watched] = [startGroup(), startGroup()];
  const script = `
    const { watchGroup } = await import(${JSON.stringify(new URL("watchdog.ts", import.meta.url).href)});
    const release = watchGroup(${released});
    watchGroup(${watched});
    process.stdin.once("data", () => {
      release();
      console.log("released");
    });
    console.log("ready");`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  const said = () => new Promise((resolve) => holder.stdout.once("data", resolve));
  await said();
  const [first] = watchdogsOf(holder.pid!);
  process.kill(first!, "SIGKILL");
  await until(() => watchdogsOf(holder.pid!).some((watchdog) => watchdog !== first));
  holder.stdin.write("go on");
  await said();
  holder.kill("SIGKILL");
  await until(() => !isAlive(watched));
  expect(isAlive(released)).toBe(true);
});
