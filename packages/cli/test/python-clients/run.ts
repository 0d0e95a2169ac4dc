/**
 * The official Python clients with `mci run`: `npm run prove:python`. Needs Python 3.10 or newer and an index of packages; installs
 * two versions of the client into a folder of its own, and sends nothing else anywhere. Every step has a time limit. Exits with 1 if one of
 * them fails, with 2 if a client could not be installed and the others passed.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const VERSIONS = { v2: "2.3.0", v1: "1.30.0" } as const;
const CLIENTS = [
  { version: "v2", script: "client.py", mode: "2026-07-28" },
  { version: "v2", script: "client.py", mode: "legacy" },
  { version: "v1", script: "client_v1.py", mode: "legacy" },
] as const;

execFileSync(process.execPath, ["scripts/build.ts", "packages/mci", "packages/cli", "--if-changed"], {
  cwd: root,
  stdio: "inherit",
});
const mci = [join(root, "packages/cli/bin/mci.cjs"), "run", "tools.mci.yaml"];
const work = mkdtempSync(join(tmpdir(), "mci-python-"));
const cwd = join(work, "files");
cpSync(here("../conformance/fixtures"), cwd, { recursive: true });
const fixtures = here("../serve/fixtures");
const env = {
  ...process.env,
  NODE: process.execPath,
  UPSTREAM: join(fixtures, "upstream.ts"),
  FULL: join(fixtures, "full.ts"),
  EXTENSIONS: join(root, "packages/mci/test/mcp/servers/extensions.ts"),
};

const INSTALL_TIMEOUT_MS = 240_000;
const START_TIMEOUT_MS = 60_000;
const CLIENT_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 5000;

const counts = { passed: 0, failed: 0, "not installed": 0 };
const server = spawn(process.execPath, [...mci, "--http", "0"], {
  cwd,
  env,
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const url = await addressOf(server);
  const pythons = new Map<string, string | undefined>();
  for (const { version, script, mode } of CLIENTS) {
    if (!pythons.has(version)) pythons.set(version, await install(version));
    const python = pythons.get(version);
    for (const target of [[url], [process.execPath, ...mci]]) {
      const name = `mcp ${VERSIONS[version]}, ${mode}, ${target.length === 1 ? "http" : "stdio"}`;
      if (python === undefined) {
        counts["not installed"]++;
        console.log(`${name}: NOT INSTALLED`);
        continue;
      }
      const { code, stdout, stderr } = await run(python, [here(script), mode, ...target], CLIENT_TIMEOUT_MS);
      counts[code === 0 ? "passed" : "failed"]++;
      console.log(`${name}: ${code === 0 ? stdout.trim() : `FAILED (${code})\n${stderr.slice(-3000)}`}`);
    }
  }
} catch (error) {
  counts.failed++;
  console.log(`FAILED: ${(error as Error).message}`);
} finally {
  await stop(server);
  rmSync(work, { recursive: true, force: true });
}
const verdict = counts.failed > 0 ? "FAILED" : counts["not installed"] > 0 ? "INCOMPLETE" : "PASSED";
const summary = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
console.log(`${verdict}: ${summary.join(", ")}`);
process.exitCode = { PASSED: 0, FAILED: 1, INCOMPLETE: 2 }[verdict];

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let text = "";
  const address = new Promise<string>((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`mci run ended with ${code}: ${text}`)));
    stderr!.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const url = / on (http:\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const late = sleep(START_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`mci run did not start within ${START_TIMEOUT_MS} ms: ${text}`);
  });
  return Promise.race([address, late]);
}

/** Runs a program in a process group of its own, which ends as a whole: a child that lives on would keep the pipes open. */
async function run(command: string, args: readonly string[], timeoutMs: number) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
    });
  const ended = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const waiting = new AbortController();
  const late = sleep(timeoutMs, `no end within ${timeoutMs} ms`, { signal: waiting.signal }).catch(() => "");
  const code = await Promise.race([ended, late]);
  waiting.abort();
  // What it printed last may still be in the pipes.
  await Promise.race([closed, sleep(code === 0 ? 1000 : 0)]);
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // All of it has ended.
  }
  child.stdout.destroy();
  child.stderr.destroy();
  return { code, ...output };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  child.kill("SIGKILL");
  child.stderr?.destroy();
}

/** Undefined if the package index does not have it, or does not answer. */
async function install(version: keyof typeof VERSIONS): Promise<string | undefined> {
  const folder = join(work, version);
  const python = join(folder, "bin/python");
  const wanted = `mcp==${VERSIONS[version]}`;
  const pip = [
    "install",
    "--quiet",
    "--no-compile",
    "--disable-pip-version-check",
    "--timeout",
    "30",
    wanted,
  ];
  const ways = [
    // The pip of the system, where it can: to give each folder a pip of its own takes minutes on a busy machine.
    [
      ["python3", ["-m", "venv", "--without-pip", folder]],
      ["python3", ["-m", "pip", "--python", python, ...pip]],
    ],
    [
      ["python3", ["-m", "venv", "--clear", folder]],
      [python, ["-m", "pip", ...pip]],
    ],
  ] as const;
  for (const steps of ways) {
    const failed = await firstFailure(steps);
    if (failed === undefined) return python;
    console.log(`${wanted} could not be installed (${failed.code}): ${failed.stderr.slice(-1000)}`);
  }
  return undefined;
}

async function firstFailure(steps: readonly (readonly [command: string, args: readonly string[]])[]) {
  for (const [command, args] of steps) {
    const { code, stderr } = await run(command, args, INSTALL_TIMEOUT_MS);
    if (code !== 0) return { code, stderr };
  }
}
