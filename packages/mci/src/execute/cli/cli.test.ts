import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../../test/processes.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { until } from "../../../../../test/until.ts";
import { type CallOptions, failure, makeTool, textOf } from "../../../test/execute/call.ts";
import type { CliExecution } from "../../schema/execution.ts";
import { cli, createCli } from "./cli.ts";

const SENTENCE =
  "File path access outside context directory and allow-list is not allowed unless enableAnyPaths is true. Path: ";

const DEAF = fileURLToPath(new URL("../../../test/execute/deaf.sh", import.meta.url));

type Settings = Partial<CliExecution>;

const tool = (settings: Settings, baseDir = temporaryFolder()) =>
  makeTool(cli, { type: "cli", command: "sh", ...settings }, baseDir);
const run = (settings: Settings, options?: CallOptions, baseDir?: string) =>
  tool(settings, baseDir).run(options);
const sh = (script: string, settings: Settings = {}, options?: CallOptions, baseDir?: string) =>
  run({ args: ["-c", script], ...settings }, options, baseDir);

/** The numbers a script wrote into a file, once there are enough of them. */
async function pids(file: string, count: number): Promise<number[]> {
  const read = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
  await until(() => read().length >= count);
  return read();
}

describe("a command", () => {
  test("gives its output, and the rest as metadata [C-result]", async () => {
    const outcome = await sh("echo héllo; echo warn >&2");
    expect(outcome).toEqual({
      content: [{ type: "text", text: "héllo\n" }],
      metadata: {
        exit_code: 0,
        stdout_bytes: 7,
        stderr_bytes: 5,
        stderr: "warn\n",
        execution_time_ms: expect.any(Number),
      },
    });
  });

  test("gets each call's own values, and the execution stays as it was [C-flags]", async () => {
    const echo = makeTool(
      cli,
      Object.freeze({ type: "cli" as const, command: "echo", args: ["{{props.x}}"] }),
      temporaryFolder(),
    );
    expect(textOf(await echo.run({ props: { x: "one" } }))).toBe("one\n");
    expect(textOf(await echo.run({ props: { x: "two" } }))).toBe("two\n");
  });

  test("that cannot start for a NUL in a variable does not repeat the variable", async () => {
    const error = await failure(run({ env: { KEY: "{{env.KEY}}" } }, { env: { KEY: "s3cr\0et" } }));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("holds a NUL character");
    expect(error.message).not.toContain("s3cr");
  });

  test("sees no shell: whatever a value holds is one argument [C-stdin]", async () => {
    const x = "$(id) `id` ; echo hi && * | > \"x\" 'y' \\ \n$HOME";
    expect(textOf(await run({ command: "printf", args: ["%s", "{{props.x}}"] }, { props: { x } }))).toBe(x);
  });

  test("has no standard input to wait for [C-stdin]", async () => {
    expect(textOf(await run({ command: "cat" }))).toBe("");
  });

  test("may print bytes that are not UTF-8, and line ends of any kind [C-output]", async () => {
    expect(textOf(await sh("printf 'a\\377b\\r\\nc\\r'"))).toBe("a\ufffdb\r\nc\r");
  });

  test("may come from a property, and is then checked like an argument", async () => {
    const command = "{{props.c}}";
    expect(textOf(await run({ command, args: ["hi"] }, { props: { c: "echo" } }))).toBe("hi\n");
    expect((await failure(run({ command }, { props: { c: "-x" } }))).code).toBe("option_refused");
    expect((await failure(run({ command }, { props: { c: "/bin/sh" } }))).message).toBe(`${SENTENCE}/bin/sh`);
    expect((await failure(run({ command }, { props: { c: "" } }))).code).toBe("invalid_config");
    expect((await failure(run({ command }, { absent: ["c"] }))).message).toBe(
      "The command is empty: '{{props.c}}' gave nothing.",
    );
  });

  test("may stand beside the MCI file", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "hello.sh"), "#!/bin/sh\necho hello from $(basename $0)\n", { mode: 0o755 });
    expect(textOf(await run({ command: "./hello.sh" }, {}, dir))).toBe("hello from hello.sh\n");
  });
});

describe("a command that fails", () => {
  test("says its exit code and the beginning of its error output; all output is in the metadata [C-result]", async () => {
    const error = await failure(sh("echo out; echo bad thing >&2; exit 3"));
    expect([error.code, error.message]).toEqual([
      "command_failed",
      "Command failed with exit code 3: bad thing\n\nStandard output:\nout",
    ]);
    expect(error.metadata).toMatchObject({
      exit_code: 3,
      stdout: "out\n",
      stderr: "bad thing\n",
      stdout_bytes: 4,
      stderr_bytes: 10,
    });
    expect((await failure(sh("echo out; exit 4"))).message).toBe("Command failed with exit code 4: out");
    expect((await failure(sh("exit 5"))).message).toBe("Command failed with exit code 5");
    const long = await failure(sh("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1"));
    expect(long.message).toHaveLength("Command failed with exit code 1: ".length + 2001);
    expect(long.metadata["stderr"]).toHaveLength(100_000);
    // Cut between words, never through one.
    const words = await failure(sh("yes secret | head -n 1000 >&2; exit 1"));
    expect(words.message).toMatch(/exit code 1: (secret\n)+secret…$/);
  });

  test("says which signal ended it", async () => {
    const error = await failure(sh("echo out; kill -SEGV $$"));
    expect([error.code, error.message]).toEqual([
      "command_failed",
      "Command failed with signal SIGSEGV: out",
    ]);
    expect(error.metadata).toMatchObject({ exit_code: null, signal: "SIGSEGV", stdout: "out\n" });
  });

  test("is reported with exit code 127 when there is no such command, 126 when it is not a program [C-not-found]", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "data.txt"), "x");
    mkdirSync(join(dir, "folder"));
    for (const [command, exitCode, reason] of [
      ["no-such-command", 127, "command not found"],
      ["./missing", 127, "command not found"],
      ["./data.txt", 126, "not an executable program"],
      ["./folder", 126, "not an executable program"],
      ["./data.txt/x", 126, "not an executable program"],
    ] as const) {
      const error = await failure(run({ command }, {}, dir));
      expect(error.code).toBe("command_not_found");
      expect(error.message).toBe(`Command failed with exit code ${exitCode}: ${reason}: ${command}`);
      expect(error.metadata).toEqual({ exit_code: exitCode });
    }
  });

  test("says that there is no shell to those who write a whole command line as the command", async () => {
    expect((await failure(run({ command: "ls -la" }))).message).toBe(
      "Command failed with exit code 127: command not found: ls -la (a command is the name of one program; its arguments go into args)",
    );
  });

  test("is not a defect of ours when all arguments together are too long, or a variable cannot be passed", async () => {
    const many = Array.from({ length: 40 }, () => "x".repeat(100_000));
    const error = await failure(run({ command: "true", args: ["{!!props.x!!}"] }, { props: { x: many } }));
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      "The arguments are too long for a command line.",
    ]);
    expect(
      (await failure(run({ command: "true", env: { X: "{{props.x}}" } }, { props: { x: "a\0" } }))).code,
    ).toBe("invalid_config");
  });
});

describe("paths in a command", () => {
  test("a value that names a file outside is refused, one that only looks like a path is not [C-cwd]", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "routes.txt"), "GET /api/v1\n");
    const cat = { command: "cat", args: ["{{props.x}}"] };
    expect((await failure(run(cat, { props: { x: "/etc/passwd" } }, dir))).message).toBe(
      `${SENTENCE}/etc/passwd`,
    );
    expect(textOf(await run(cat, { props: { x: "routes.txt" } }, dir))).toBe("GET /api/v1\n");
    expect(
      textOf(
        await run({ command: "grep", args: ["{{props.x}}", "routes.txt"] }, { props: { x: "/api/v1" } }, dir),
      ),
    ).toBe("GET /api/v1\n");
    expect(
      textOf(await run(cat, { props: { x: "/etc/passwd" }, paths: { enableAnyPaths: true } }, dir)),
    ).toContain("root");
    expect(
      textOf(await run(cat, { props: { x: "/etc/passwd" }, paths: { directoryAllowList: ["/etc"] } }, dir)),
    ).toContain("root");
  });

  test("so is the value of a flag", async () => {
    const flags = {
      "--file": { from: "props.f", type: "value" as const },
      "-f": { from: "props.g", type: "value" as const },
    };
    for (const props of [{ f: "/etc/passwd" }, { g: "../../etc/passwd" }, { f: ["x", "/etc/passwd"] }]) {
      expect((await failure(run({ command: "grep", args: ["x"], flags }, { props }))).code).toBe(
        "path_refused",
      );
    }
  });

  test("it runs beside the MCI file, or in the cwd relative to that [C-cwd]", async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "docs"));
    writeFileSync(join(dir, "file"), "");
    const pwd = async (settings: Settings, options?: CallOptions) =>
      textOf(await run({ command: "pwd", ...settings }, options, dir));
    expect(await pwd({})).toBe(`${dir}\n`);
    expect(await pwd({ cwd: "" })).toBe(`${dir}\n`);
    expect(await pwd({ cwd: "{{props.d}}" }, { absent: ["d"] })).toBe(`${dir}\n`);
    expect(await pwd({ cwd: "{{props.d}}" }, { props: { d: "docs" } })).toBe(`${dir}/docs\n`);
    expect(await pwd({ cwd: "/" }, { paths: { enableAnyPaths: true } })).toBe("/\n");
    for (const cwd of ["missing", "file"]) {
      const error = await failure(run({ command: "pwd", cwd }, {}, dir));
      expect([error.code, error.message]).toEqual([
        "invalid_config",
        `The working directory does not exist: ${cwd} (looked at ${join(dir, cwd)})`,
      ]);
    }
  });

  test("its cwd is checked like any path, symbolic links too", async () => {
    const dir = temporaryFolder();
    symlinkSync("/etc", join(dir, "link"));
    for (const cwd of ["/etc", "..", "link", "/missing"]) {
      expect((await failure(run({ command: "pwd", cwd }, {}, dir))).message).toBe(SENTENCE + cwd);
    }
  });
});

describe("the environment of a command", () => {
  const names = async (
    settings: Settings,
    options?: CallOptions,
    processEnv: Record<string, string> = {},
  ) => {
    const source = {
      PATH: process.env["PATH"]!,
      HOME: "/h",
      LANG: "C.UTF-8",
      SECRET: "s",
      TERM: "dumb",
      ...processEnv,
    };
    const made = makeTool(
      createCli(() => source),
      { type: "cli", command: "env", ...settings },
      temporaryFolder(),
    );
    const lines = textOf(await made.run(options))
      .trim()
      .split("\n");
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  };

  test("holds no more than programs need, plus what the author gives it [C-inherit]", async () => {
    expect(Object.keys(await names({}, { env: { API_KEY: "k" } })).sort()).toEqual(["HOME", "LANG", "PATH"]);
    const given = await names(
      { env: { KEY: "{{env.API_KEY}}", HOME: "/x", GONE: "{{props.x}}" } },
      { env: { API_KEY: "k" }, absent: ["x"] },
    );
    expect(given).toMatchObject({ KEY: "k", HOME: "/x" });
    expect(given).not.toHaveProperty("GONE");
  });

  test("holds the names of inheritEnv with the client's values, never those of the process [C-inherit]", async () => {
    const read: unknown[] = [];
    const inheritEnv = ["SECRET", "TERM", "COUNT", "NOWHERE", "constructor"];
    const options = { env: { SECRET: "mine", COUNT: 3 }, onEnv: (value: unknown) => read.push(value) };
    const environment = await names({ inheritEnv }, options);
    expect(environment).toMatchObject({ SECRET: "mine", COUNT: "3" });
    expect(Object.keys(environment).sort()).toEqual(["COUNT", "HOME", "LANG", "PATH", "SECRET"]);
    // So that they are masked in errors.
    expect(read).toEqual(["mine", 3]);
  });
});

describe("a command that takes too long", () => {
  test("is ended with its child processes; its output so far is returned [C-tree]", async () => {
    const dir = temporaryFolder();
    // The recipe of a child that outlives its parent: it would leave the marker behind.
    const script =
      "echo started; echo careful >&2; (sleep 3; touch marker) & echo $! > pids; echo $$ >> pids; wait";
    const error = await failure(sh(script, { timeout_ms: 1000 }, {}, dir));
    expect([error.code, error.message]).toEqual(["command_timeout", "Command timed out after 1000ms"]);
    expect(error.metadata).toMatchObject({
      exit_code: null,
      stdout: "started\n",
      stderr: "careful\n",
      stdout_bytes: 8,
    });
    expect((await pids(join(dir, "pids"), 2)).filter(isAlive)).toEqual([]);
    expect(existsSync(join(dir, "marker"))).toBe(false);
  });

  test("may clean up when it is asked to end", async () => {
    const dir = temporaryFolder();
    const error = await failure(
      sh("trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.05; done", { timeout_ms: 1000 }, {}, dir),
    );
    expect([error.code, error.metadata["stdout"]]).toEqual(["command_timeout", "cleaned\n"]);
  });

  test.each<[unknown, CallOptions, string]>([
    ["{{env.T}}", { env: { T: "150" } }, "Command timed out after 150ms"],
    ["{{props.t}}", { props: { t: 160 } }, "Command timed out after 160ms"],
    ...["soon", -1].map((t): [string, CallOptions, string] => [
      "{{props.t}}",
      { props: { t } },
      "timeout_ms must be a whole number of at least 0, but '{{props.t}}' gave something else.",
    ]),
  ])("may have its deadline from a template: %s with %j [H-oauth]", async (timeout_ms, options, message) => {
    expect(
      (await failure(run({ command: "sleep", args: ["30"], timeout_ms: timeout_ms as string }, options)))
        .message,
    ).toBe(message);
  });

  test("has half a minute if the deadline is 0, and weeks if it is enormous", async () => {
    for (const timeout_ms of [0, 2 ** 40])
      expect(textOf(await sh("sleep 0.1; echo done", { timeout_ms }))).toBe("done\n");
  });
});

describe("a call that is cancelled", () => {
  test.each(["", ...(process.platform === "linux" ? ["setsid"] : [])])(
    "kills what ignores the request to end, with all it started, even in sessions of their own (%s) [C-tree]",
    async (launcher) => {
      const dir = temporaryFolder();
      const controller = new AbortController();
      const { signal } = controller;
      const error = failure(run({ args: [DEAF, "4", launcher] }, { signal }, dir));
      const started = await pids(join(dir, "pids"), 4);
      expect(started.filter(isAlive)).toHaveLength(4);
      controller.abort();
      expect((await error).code).toBe("aborted");
      expect(started.filter(isAlive)).toEqual([]);
    },
  );

  test("ends its command and all it started [C-tree]", async () => {
    const dir = temporaryFolder();
    const controller = new AbortController();
    const error = failure(
      sh(
        "echo hi; sleep 300 & echo $! > pids; echo $$ >> pids; wait",
        {},
        { signal: controller.signal },
        dir,
      ),
    );
    const started = await pids(join(dir, "pids"), 2);
    controller.abort();
    expect((await error).code).toBe("aborted");
    expect((await error).metadata).toMatchObject({ exit_code: null, stdout: "hi\n" });
    expect(started.filter(isAlive)).toEqual([]);
  });

  test("before it began starts nothing", async () => {
    const dir = temporaryFolder();
    expect((await failure(sh("touch marker", {}, { signal: AbortSignal.abort() }, dir))).code).toBe(
      "aborted",
    );
    await sleep(50);
    expect(existsSync(join(dir, "marker"))).toBe(false);
  });

  test("is over, processes and all, when the session has closed [C-close]", async () => {
    const dir = temporaryFolder();
    const controller = new AbortController();
    const made = tool({ args: ["-c", "echo $$ > pids; sleep 300; true"] }, dir);
    const error = failure(made.run({ signal: controller.signal }));
    const started = await pids(join(dir, "pids"), 1);
    controller.abort();
    await made.close();
    expect(started.filter(isAlive)).toEqual([]);
    expect((await error).code).toBe("aborted");
  });
});

describe("output", () => {
  test("over the limit ends the command and keeps the beginning [C-stdin]", async () => {
    const dir = temporaryFolder();
    const limits = { maxCommandOutputBytes: 100_000 };
    const error = await failure(sh("echo $$ > pids; yes", {}, { limits }, dir));
    expect([error.code, error.message]).toEqual([
      "command_output_limit",
      "Command printed more than 100000 bytes to standard output and was ended. Ask for less, or raise the limit maxCommandOutputBytes.",
    ]);
    expect(error.metadata["stdout"]).toBe("y\n".repeat(50_000));
    expect((await pids(join(dir, "pids"), 1)).filter(isAlive)).toEqual([]);
    expect((await failure(sh("yes >&2", {}, { limits }))).message).toContain("standard error");
  });

  test("of exactly the limit is whole", async () => {
    const limits = { maxCommandOutputBytes: 100_000 };
    expect(textOf(await sh("yes | head -c 100000", {}, { limits }))).toHaveLength(100_000);
  });

  test("of megabytes arrives complete", async () => {
    const outcome = await sh("yes | head -c 5000000; yes | head -c 3000000 >&2");
    expect(textOf(outcome)).toHaveLength(5_000_000);
    expect(outcome.metadata).toMatchObject({ stdout_bytes: 5_000_000, stderr_bytes: 3_000_000 });
  });

  test("held open by something in the background does not hold up the call, which leaves that running", async () => {
    const dir = temporaryFolder();
    const outcome = await sh("echo started; sleep 300 & echo $! > pids", { timeout_ms: 15_000 }, {}, dir);
    expect(textOf(outcome)).toBe("started\n");
    expect(outcome.metadata!["execution_time_ms"]).toBeLessThan(10_000);
    const [background] = await pids(join(dir, "pids"), 1);
    expect(isAlive(background!)).toBe(true);
    process.kill(background!, "SIGKILL");
  });
});

test("twenty-five commands at once all give their own output, and leave no process and no listener behind", async () => {
  const dir = temporaryFolder();
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  const listeners = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name));
  const before = listeners();
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  const made = tool({ args: ["-c", "echo $$ >> pids; echo $1", "sh", "{{props.n}}"] }, dir);
  const outcomes = await Promise.all(
    Array.from({ length: 25 }, (_, n) => made.run({ props: { n }, signal })),
  );
  await sleep(10);
  process.off("warning", onWarning);
  expect(outcomes.map(textOf)).toEqual(Array.from({ length: 25 }, (_, n) => `${n}\n`));
  expect((await pids(join(dir, "pids"), 25)).filter(isAlive)).toEqual([]);
  expect(listeners()).toEqual(before);
  expect(warnings).toEqual([]);
});
