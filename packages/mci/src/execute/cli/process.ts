import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { traced } from "@mci-ts/primitives/tracing";
import { startProcess } from "../../process/start.ts";
import { terminateTree } from "../../process/tree.ts";
import { watchGroup } from "../../process/watchdog.ts";
import { killOnExit, type ProcessTree } from "./exit.ts";

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. Default: standard input is empty. */
  readonly stdin?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Standard output and standard error each. */
  readonly maxOutputBytes: number;
}

export interface ProcessReport {
  /** Why it ended; all but `exit` mean that we ended it. */
  readonly endReason: "exit" | "timeout" | "aborted" | "stdout_limit" | "stderr_limit";
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly durationMs: number;
}

export interface Output {
  /** Decoded as UTF-8, line ends as printed; bytes that are not UTF-8 become U+FFFD. */
  readonly text: string;
  readonly bytes: number;
}

/**
 * Runs a program to its end, or ends it and all it started at the deadline, on abort, or when it prints too much.
 * Rejects with the system's error if it cannot be started.
 */
export function runProcess(request: ProcessRequest): Promise<ProcessReport> {
  const name = basename(request.command);
  return traced(
    () => ({ name: `spawn ${name}`, kind: "client", attributes: { "process.executable.name": name } }),
    async (span) => {
      const report = await run(request);
      if (report.exitCode !== null) span?.set({ "process.exit.code": report.exitCode });
      if (report.exitCode !== 0) span?.fail(report.endReason === "exit" ? "exit" : report.endReason);
      return report;
    },
  );
}

async function run(request: ProcessRequest): Promise<ProcessReport> {
  const started = performance.now();
  const tree: ProcessTree = {};
  const release = killOnExit(tree);
  try {
    const child = startProcess(request, [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"]);
    tree.pid = child.pid;
    // A program need not read all of it, or any.
    child.stdin?.on("error", () => {}).end(request.stdin);
    return { ...(await supervise(child, request)), durationMs: performance.now() - started };
  } finally {
    release();
  }
}

async function supervise(
  child: ChildProcess,
  request: ProcessRequest,
): Promise<Omit<ProcessReport, "durationMs">> {
  const { finished, drain } = watch(child);
  let endReason: ProcessReport["endReason"] = "exit";
  let termination: Promise<void> | undefined;
  const terminate = (reason: ProcessReport["endReason"]) => {
    const isOver = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (termination !== undefined || isOver) return;
    endReason = reason;
    termination = terminateTree(child.pid!).finally(drain);
  };
  const stdout = collect(child.stdout, request.maxOutputBytes, () => terminate("stdout_limit"));
  const stderr = collect(child.stderr, request.maxOutputBytes, () => terminate("stderr_limit"));
  const timer = setTimeout(terminate, request.timeoutMs, "timeout");
  const releaseGroup = watchGroupLater(child);
  const onAbort = () => terminate("aborted");
  request.signal.addEventListener("abort", onAbort, { once: true });
  try {
    await finished;
    await termination;
    const { exitCode, signalCode: signal } = child;
    return { endReason, exitCode, signal, stdout: stdout(), stderr: stderr() };
  } finally {
    clearTimeout(timer);
    releaseGroup();
    request.signal.removeEventListener("abort", onAbort);
  }
}

/** Most commands end before a watchdog would be up; to start one may take as long as to start them. */
const WATCHDOG_DELAY_MS = 200;

/** Terminates the command's process group even if this process is killed. Returns a function to be called when it has ended. */
function watchGroupLater({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => {};
  let release: (() => void) | undefined;
  const timer = setTimeout(() => {
    release = watchGroup(pid);
  }, WATCHDOG_DELAY_MS);
  return () => {
    clearTimeout(timer);
    release?.();
  };
}

/** Without a stream (the system had no file handles left) there is nothing to collect. */
function collect(stream: Readable | null | undefined, limit: number, onLimit: () => void): () => Output {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    const room = limit - bytes;
    bytes += chunk.length;
    if (room > 0) chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) onLimit();
  });
  return () => ({ text: (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8"), bytes });
}

/** How long output may still arrive after the program has ended. */
const DRAIN_TIMEOUT_MS = 200;

/**
 * Waits until the program has ended and its output is read. Something it left in the background may hold the output
 * open; that is given a moment, and then it keeps running without us.
 */
function watch(child: ChildProcess): { finished: Promise<void>; drain: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let finish = () => {};
  const finished = new Promise<void>((resolve, reject) => {
    finish = resolve;
    child.once("close", resolve);
    child.once("error", reject);
  }).finally(() => {
    clearTimeout(timer);
    timer = undefined;
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
  // One more turn of the event loop: what the program itself printed waits there, however late the timer is.
  const drain = () => {
    timer ??= setTimeout(() => setImmediate(finish), DRAIN_TIMEOUT_MS);
  };
  child.once("exit", drain);
  return { finished, drain };
}
