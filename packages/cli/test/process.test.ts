import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../../../test/processes.ts";
import { until } from "../../../test/until.ts";
import manifest from "../package.json" with { type: "json" };
import { echo, file, greet, node } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder, mci, mciCommand } from "./mci.ts";
import { pids } from "./serve/support.ts";

/** The command as a process of its own: what the others check from inside must also hold from outside. */

test("--version prints the version and nothing else", async () => {
  const version = { code: 0, stdout: `${manifest.version}\n`, stderr: "" };
  expect(await mci(["--version"], { cwd: folder() })).toEqual(version);
});

test("[C-exit] exit codes: 0 done, 1 failed, 2 called wrongly", async () => {
  const cwd = folder({ "mci.json": file(greet, node("bad", "process.exit(9)")) });
  const runs = await Promise.all(
    [["call", "greet", "name=é日"], ["call", "bad"], ["call", "greet", "nam=Ada"], ["lst"]].map((args) =>
      mci(args, { cwd }),
    ),
  );
  expect(runs.map(({ code }) => code)).toEqual([0, 1, 2, 2]);
  expect(runs[0]).toMatchObject({ stdout: "Hello é日\n", stderr: "" });
  expect(runs[3]?.stderr).toContain("Did you mean 'list'?");
});

test("[C-init] the starter's MCP server is the command itself, and its tool works", async () => {
  const cwd = folder();
  const [program, args] = mciCommand([], { cwd });
  const words = [program, ...args].map((word) => `'${word}'`).join(" ");
  mkdirSync(join(cwd, "bin"));
  writeFileSync(join(cwd, "bin/mci"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${join(cwd, "bin")}:${process.env.PATH}` };
  const app = join(cwd, "app");
  await mciHere(["init", "--dir", app], { cwd, env });
  expect(await mciHere(["validate", "--strict"], { cwd: app, env })).toMatchObject({
    code: 0,
    stdout: "mci.json: valid\n",
  });
  const { stdout } = await mciHere(["list", "--format", "names"], { cwd: app, env });
  expect(stdout.trim().split("\n")).toEqual([
    ...["greet", "read_welcome", "list_files", "get_repository", "shopping_list", "served_echo"],
  ]);
  const called = await mci(["call", "served_echo", "message=hi"], { cwd: app, env });
  expect(called).toEqual({ code: 0, stdout: "Echo: hi\n", stderr: "" });
});

// Where the file is missing, Node.js itself answers before mci starts (docs/troubleshooting.md).
test("[C-exit] --env-file, which Node.js takes for itself, is refused with the option that works", async () => {
  const { code, stdout, stderr } = await mci(["list", "--env-file", "vars.env"], {
    cwd: folder({ "mci.json": file(echo), "vars.env": "A=1" }),
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe("error: 'list' has no option '--env-file'.\nhint: Write --dotenv FILE.\n");
});

test.each([["--dotenv", "nope.env"], ["--dotenv=nope.env"]])(
  "[C-exit] with %s a missing env file is reported by mci itself",
  async (...option) => {
    const { code, stdout, stderr } = await mci(["list", ...option], {
      cwd: folder({ "mci.json": file(echo) }),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: Env file not found: .*nope\.env/);
    expect(stderr).toContain("Check the path given with --dotenv");
  },
);

test("standard input, the environment and env files reach a tool", async () => {
  const cwd = folder({
    "mci.json": file({
      name: "t",
      execution: { type: "text", text: "{{props.a}} {{env.FROM_PROCESS}} {{env.FROM_FILE}}" },
    }),
    ".env": "FROM_FILE=file\nFROM_PROCESS=file",
  });
  const { stdout } = await mci(["call", "t", "--params", "-"], {
    cwd,
    stdin: '{"a": "in"}',
    env: { FROM_PROCESS: "process" },
  });
  expect(stdout).toBe("in process file\n");
});

// `script` gives a program a terminal; without it this cannot be tried.
test.skipIf(spawnSync("script", ["--version"]).error !== undefined)(
  "[C-colour] on a terminal there are colours and a table, unless NO_COLOR says otherwise",
  async () => {
    const cwd = folder({ "mci.json": file(greet) });
    const onTerminal = (command: string, env: Record<string, string>) => {
      const [program, args] = mciCommand([command], { cwd });
      const line = [program, ...args].map((word) => `'${word}'`).join(" ");
      return spawnSync("script", ["-qec", line, "/dev/null"], {
        cwd,
        encoding: "utf8",
        env: { PATH: process.env.PATH, TERM: "xterm", SHELL: "/bin/sh", ...env },
      }).stdout;
    };
    expect(onTerminal("list", {})).toContain("\x1b[1mName   Source  Description\x1b[22m");
    expect(onTerminal("list", { NO_COLOR: "1" })).toMatch(/^Name +Source +Description\r?\n/);
    expect(onTerminal("help", {})).toContain("\x1b[1mUsage:");
    expect(onTerminal("help", { TERM: "dumb" })).toMatch(/^Usage:\r?\n/m);
  },
);

test("a reader that leaves early (mci list | head) is not an error", async () => {
  const tools = Array.from({ length: 700 }, (_, index) => ({
    ...echo,
    name: `tool_${index}`,
    description: "x".repeat(200),
  }));
  const cwd = folder({ "mci.json": file(...tools) });
  const child = spawn(...mciCommand(["list"], { cwd }));
  child.stdout.once("data", () => child.stdout.destroy());
  const errors: string[] = [];
  child.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
});

test("Ctrl+C ends the tool with everything it started, and exits 130", async () => {
  const execution = {
    type: "cli",
    command: "sh",
    args: ["-c", 'sleep 60 & printf "%s\\n" $$ $! > up; wait'],
  };
  const cwd = folder({ "mci.json": file({ name: "slow", execution }) });
  const child = spawn(...mciCommand(["call", "slow"], { cwd }));
  await until(() => pids(join(cwd, "up")).length === 2, "the tool to start");
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(130);
  await until(() => !pids(join(cwd, "up")).some(isAlive), "the processes to end");
});
