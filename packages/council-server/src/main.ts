#!/usr/bin/env node
import { parseArgs } from "node:util";
import type { Log } from "@mci-ts/council";
import type { Config } from "./config/config.ts";
import { VERSION } from "./version.ts";

/** Time that runs in flight get to finish after the first signal; a second signal exits at once. */
const GRACE_MS = 10_000;
/** Time to close connections after that. A database that does not answer must not keep the process. */
const CLOSE_TIMEOUT_MS = 4000;

/** What the user can correct: printed without a stack, exit code 2. */
const USER_ERRORS = ["ConfigError", "CommandError", "EvaluationError"];

// A closed pipe (a pager, a log collector) must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  if (process.argv[2] === "eval") await evaluateQuestions();
  else if (process.argv[2] === "task") await runLongTask();
  else if (process.argv[2] === "schedule") await changeSchedules();
  else if (isCommand(process.argv[2])) await refuseCommand(process.argv[2]);
  else await serveCommand();
} catch (error) {
  const { name, code } = error as { name?: string; code?: string };
  const isUsage = code?.startsWith("ERR_PARSE_ARGS") ?? false;
  const expected = USER_ERRORS.includes(name ?? "") || isUsage;
  process.stderr.write(`${expected ? (error as Error).message : ((error as Error).stack ?? error)}\n`);
  if (isUsage)
    process.stderr.write(`'${["mci-council", ...subcommand()].join(" ")} --help' lists the options.\n`);
  process.exitCode = expected ? 2 : 1;
}

function subcommand(): readonly string[] {
  return ["eval", "task", "schedule"].filter((name) => name === process.argv[2]);
}

/** The service itself takes options only. */
function isCommand(word: string | undefined): word is string {
  return word !== undefined && !word.startsWith("-");
}

async function refuseCommand(word: string): Promise<void> {
  const { closestMatch } = await import("@mci-ts/primitives/closest-match");
  const similar = closestMatch(word, ["eval", "task", "schedule"]);
  const hint = similar === undefined ? "" : ` Did you mean 'mci-council ${similar}'?`;
  const name = JSON.stringify(word.slice(0, 100));
  process.stderr.write(`Unknown command ${name}.${hint} 'mci-council --help' lists them all.\n`);
  process.exitCode = 2;
}

async function evaluateQuestions(): Promise<void> {
  if (process.argv.slice(3).some((each) => each === "--help" || each === "-h")) {
    process.stdout.write((await import("./command/messages.ts")).EVAL_HELP);
    return;
  }
  const { evaluate } = await import("./command/eval.ts");
  const passed = await evaluate(process.argv.slice(3), process.env, {
    write: (text) => process.stdout.write(text),
    progress: {
      write: (text) => process.stderr.write(text),
      isTerminal: process.stderr.isTTY === true,
    },
  });
  if (!passed) process.exitCode = 1;
}

async function runLongTask(): Promise<void> {
  const { runTask } = await import("./task-command/command.ts");
  const stopped = new AbortController();
  // The second signal ends the process at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
  process.exitCode = await runTask(process.argv.slice(3), process.env, {
    write: (text) => process.stdout.write(text),
    progress: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    stopped: stopped.signal,
  });
}

async function changeSchedules(): Promise<void> {
  const { runSchedule } = await import("./task-command/schedule-command.ts");
  const write = (text: string) => process.stdout.write(text);
  process.exitCode = await runSchedule(process.argv.slice(3), process.env, { write });
}

async function serveCommand(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      stdio: { type: "boolean" },
      port: { type: "string" },
      host: { type: "string" },
    },
  });
  for (const name of ["port", "host"] as const) {
    if (values[name] === undefined) continue;
    const { ConfigError } = await import("./config/config.ts");
    throw new ConfigError([
      `--${name} is not an option: set ${name.toUpperCase()}=${values[name]} in the environment`,
    ]);
  }
  if (values.help) process.stdout.write((await import("./command/messages.ts")).HELP);
  else if (values.version) process.stdout.write(`${VERSION}\n`);
  else if (values.stdio) await serveStdio();
  else await serveHttp();
}

async function serveStdio(): Promise<void> {
  const config = await readSettings();
  const { serveOverStdio } = await import("./command/stdio.ts");
  await serveOverStdio(config);
}

async function serveHttp(): Promise<void> {
  const config = await readSettings();
  const { serve } = await import("./server.ts");
  const server = await serve(config);
  const { log } = server.service;
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      log("Stopping: runs in flight may finish. Send the signal again to stop at once.", { level: "info" });
      exitAfter(GRACE_MS + CLOSE_TIMEOUT_MS, log);
      void server.close(GRACE_MS).then(() => exitAfter(CLOSE_TIMEOUT_MS, log));
    });
  }
  // Something that starts it again, under a new name, is needed: see docs/operations.md.
  server.lost?.addEventListener("abort", () => {
    process.exitCode = 1;
    exitAfter(CLOSE_TIMEOUT_MS, log);
  });
  const { logStartup, startupBanner } = await import("./command/messages.ts");
  // Printed last: a script that waits for this line may send a signal right after it.
  if (config.logFormat === "json") logStartup(server);
  else process.stdout.write(startupBanner(server));
}

/** Ends the process if something keeps it alive for that long. */
function exitAfter(ms: number, log: Log): void {
  setTimeout(() => {
    log("Not everything could be closed in time; what is recorded is complete.");
    process.exit(1);
  }, ms).unref();
}

/** Before the service is loaded: invalid settings are reported at once. */
async function readSettings(): Promise<Config> {
  const { readConfig } = await import("./config/config.ts");
  return readConfig(process.env);
}
