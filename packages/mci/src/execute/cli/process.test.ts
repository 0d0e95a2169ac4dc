import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../../test/processes.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { until } from "../../../../../test/until.ts";
import { watchdogsOf } from "../../../test/execute/processes.ts";

const SCRIPT = fileURLToPath(new URL("../../../test/execute/run-and-end.ts", import.meta.url));

async function startScript(how: string) {
  const file = join(temporaryFolder(), "pids");
  const script = spawn(process.execPath, [SCRIPT, file, how], { stdio: ["pipe", "inherit", "inherit"] });
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    script.once("exit", (code, signal) => resolve([code, signal])),
  );
  const read = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
  await until(() => read().length === 2);
  return { script, ended, pids: read() };
}

describe("a process that ends while it runs a command takes the command's whole tree with it", {
  timeout: 60_000,
}, () => {
  test("when it exits by itself [C-exit]", async () => {
    const { script, ended, pids } = await startScript("exit");
    expect(pids.filter(isAlive)).toHaveLength(2);
    script.stdin!.write("x");
    expect(await ended).toEqual([7, null]);
    await until(() => pids.every((pid) => !isAlive(pid)));
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "when it is ended by %s, which still ends it [C-exit-signal]",
    async (signal) => {
      const { script, ended, pids } = await startScript("signal");
      script.kill(signal);
      expect(await ended).toEqual([null, signal]);
      await until(() => pids.every((pid) => !isAlive(pid)));
    },
  );

  test("when it is killed without a chance to clean up [C-exit-kill]", async () => {
    const { script, ended, pids } = await startScript("signal");
    // A command has a watchdog only after a moment.
    await until(() => watchdogsOf(script.pid!).length === 1);
    script.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
    await until(() => pids.every((pid) => !isAlive(pid)));
  });

  test("also a child in a session of its own, as setsid makes it [C-exit-kill]", async () => {
    const { script, ended, pids } = await startScript("setsid");
    await until(() => watchdogsOf(script.pid!).length === 1);
    script.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
    await until(() => pids.every((pid) => !isAlive(pid)));
  });

  test("but leaves the command alone while the application handles the signal", async () => {
    const { script, ended, pids } = await startScript("handled");
    script.kill("SIGTERM");
    expect(await ended).toEqual([8, null]);
    await until(() => pids.every((pid) => !isAlive(pid)));
  });
});
