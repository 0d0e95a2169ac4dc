import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { MCIClientError } from "../../errors.ts";
import type {
  CallError,
  FromSandbox,
  SandboxData,
  SandboxOutcome,
  SettledState,
  ToSandbox,
} from "./protocol.ts";

export type { SandboxError, SandboxOutcome } from "./protocol.ts";

/** What code may use. */
export interface CodeLimits {
  /** Milliseconds from beginning to end, the time of tools included. Default 60,000. */
  readonly timeoutMs: number;
  /** Bytes of memory of the code. Default 64 MiB. */
  readonly memoryBytes: number;
  /** Calls of tools in all. Default 500. */
  readonly maxCalls: number;
  /** Calls that run at once; others wait. Default 20. */
  readonly maxConcurrentCalls: number;
  /** Characters of the returned value, and of what is printed. Default 100,000 each. */
  readonly maxOutputChars: number;
}

export const DEFAULT_CODE_LIMITS: CodeLimits = {
  timeoutMs: 60_000,
  memoryBytes: 64 * 1024 * 1024,
  maxCalls: 500,
  maxConcurrentCalls: 20,
  maxOutputChars: 100_000,
};

/** Characters of the code, of the input of one call and of what one call returns. */
const MAX_CODE_CHARS = 200_000;
const MAX_INPUT_CHARS = 1_000_000;
const MAX_TOTAL_INPUT_CHARS = 5_000_000;
const MAX_RESULT_CHARS = 10_000_000;
/** The thread interrupts code at its deadline; one that cannot is ended this much later. */
const GRACE_MS = 250;

/** What a call came to: its value, a number of the plan, or why it failed. */
export type CallOutcome =
  | { readonly state: "value"; readonly value: unknown }
  | { readonly state: "planned"; readonly number: number }
  | { readonly state: "error"; readonly error: Omit<CallError, "tool"> };

type CallTool = (tool: string, input: unknown, signal: AbortSignal) => Promise<CallOutcome>;

/** Sandboxes at the same time; further code waits. Each has a thread and a memory of its own, and clients may ask for any number. */
const MAX_SANDBOXES = 8;
const waiting: (() => void)[] = [];
let running = 0;

/** Runs code in a sandbox of its own. Never rejects because of the code. */
export async function runInSandbox(
  ...[code, call, limits, signal]: Parameters<typeof runAlone>
): Promise<SandboxOutcome> {
  if (running >= MAX_SANDBOXES) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return signal?.aborted
      ? failed("AbortError", "The call was cancelled.")
      : await runAlone(code, call, limits, signal);
  } finally {
    // Its place goes to the next one, if there is one.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function runAlone(
  code: string,
  call: CallTool,
  limits: CodeLimits,
  signal?: AbortSignal,
): Promise<SandboxOutcome> {
  if (code.length > MAX_CODE_CHARS)
    return failed("RangeError", `The code has ${code.length} characters, and may have ${MAX_CODE_CHARS}.`);
  const worker = await takeWorker(limits.memoryBytes);
  const calls = new AbortController();
  const queue = new CallQueue(worker, call, limits.maxConcurrentCalls, calls.signal);
  try {
    return await new Promise<SandboxOutcome>((resolve) => {
      const { timeoutMs } = limits;
      const stop = () => resolve(failed("AbortError", "The call was cancelled."));
      const timer = setTimeout(
        () => resolve(failed("TimeoutError", `The code ran longer than ${timeoutMs} ms.`)),
        timeoutMs + GRACE_MS,
      );
      signal?.addEventListener("abort", stop, { once: true });
      calls.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      });
      if (signal?.aborted) stop();
      worker.on("message", (message: FromSandbox) => {
        if (message.type === "call") queue.add(message);
        else if (message.type === "end") resolve(message.outcome);
      });
      worker.once("error", (error) => resolve(failed("RangeError", `The sandbox ended: ${error.message}`)));
      worker.once("exit", () => resolve(failed("Error", "The sandbox ended before the code did.")));
      const { maxCalls, maxOutputChars } = limits;
      const threadLimits = {
        timeoutMs,
        maxCalls,
        maxOutputChars,
        maxInputChars: MAX_INPUT_CHARS,
        maxTotalInputChars: MAX_TOTAL_INPUT_CHARS,
      };
      worker.postMessage({ type: "run", code, limits: threadLimits } satisfies ToSandbox);
    });
  } finally {
    calls.abort(new DOMException("The code has ended.", "AbortError"));
    await worker.terminate();
  }
}

function failed(name: string, message: string): SandboxOutcome {
  return { error: { name, message }, console: "" };
}

/** Runs the calls of one sandbox, a few at a time, and sends back what they came to. */
class CallQueue {
  readonly #waiting: { readonly id: number; readonly tool: string; readonly json: string }[] = [];
  readonly #worker: Worker;
  readonly #call: CallTool;
  readonly #maxRunning: number;
  readonly #signal: AbortSignal;
  #running = 0;

  constructor(worker: Worker, call: CallTool, maxRunning: number, signal: AbortSignal) {
    this.#worker = worker;
    this.#call = call;
    this.#maxRunning = maxRunning;
    this.#signal = signal;
  }

  add(call: { readonly id: number; readonly tool: string; readonly json: string }): void {
    this.#waiting.push(call);
    this.#next();
  }

  #next(): void {
    if (this.#running >= this.#maxRunning || this.#signal.aborted) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#running++;
    void this.#run(next).finally(() => {
      this.#running--;
      this.#next();
    });
  }

  async #run({
    id,
    tool,
    json,
  }: {
    readonly id: number;
    readonly tool: string;
    readonly json: string;
  }): Promise<void> {
    const outcome = await this.#call(tool, JSON.parse(json), this.#signal).catch(
      (error: unknown): CallOutcome => ({
        state: "error",
        error:
          error instanceof MCIClientError
            ? { code: error.code, message: error.message }
            : { code: "internal", message: "The call failed inside the server." },
      }),
    );
    if (this.#signal.aborted) return;
    const [state, text] = settled(tool, outcome);
    this.#worker.postMessage({ type: "settle", id, state, json: text } satisfies ToSandbox);
  }
}

function settled(tool: string, outcome: CallOutcome): [SettledState, string] {
  if (outcome.state === "planned") return ["planned", String(outcome.number)];
  if (outcome.state === "error") return ["error", JSON.stringify({ tool, ...outcome.error })];
  const json = JSON.stringify(outcome.value ?? null);
  if (json.length <= MAX_RESULT_CHARS) return ["value", json];
  const message = `The result has ${json.length} characters of JSON, and code accepts ${MAX_RESULT_CHARS}.`;
  return ["error", JSON.stringify({ tool, code: "result_too_large", message })];
}

/** A thread with a sandbox that nothing has used, for the next call: to start one takes longer than most code runs. */
let spare: { readonly memoryBytes: number; readonly worker: Promise<Worker> } | undefined;
let compiled: Promise<WebAssembly.Module> | undefined;

async function takeWorker(memoryBytes: number): Promise<Worker> {
  const ready = spare?.memoryBytes === memoryBytes ? spare.worker : startWorker(memoryBytes);
  if (spare?.memoryBytes !== memoryBytes) void spare?.worker.then((worker) => worker.terminate());
  spare = undefined;
  const worker = await ready;
  worker.ref();
  spare = { memoryBytes, worker: startWorker(memoryBytes) };
  // If it cannot be started, the next call says so.
  spare.worker.catch(() => {
    spare = undefined;
  });
  return worker;
}

async function startWorker(memoryBytes: number): Promise<Worker> {
  compiled ??= readWasm();
  const wasm = await compiled.catch((cause: unknown) => {
    compiled = undefined;
    throw cause;
  });
  const worker = new Worker(workerUrl(), {
    workerData: { wasm, memoryBytes } satisfies SandboxData,
    // Nothing of the process reaches the thread.
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    // QuickJS meets its own limit of recursion long before this stack ends, so that code can catch the error.
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 32 },
  });
  worker.unref();
  await once(worker, "message");
  return worker;
}

/** The build puts the thread beside the bundle; from source it is in this folder. */
function workerUrl(): URL {
  const names = [
    "./worker.ts",
    "./code-worker.js",
    "./code-worker.cjs",
    "./code-worker.mjs",
    "../code-worker.js",
  ];
  const found = names.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
  return found ?? new URL(names[0]!, import.meta.url);
}

async function readWasm(): Promise<WebAssembly.Module> {
  const beside = new URL("./quickjs.wasm", import.meta.url);
  const file = existsSync(beside) ? beside : installedWasm();
  return WebAssembly.compile(await readFile(file));
}

function installedWasm(): string {
  try {
    return createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  } catch (cause) {
    const message = "Code runs in QuickJS, which is not installed: npm install quickjs-wasi";
    throw new MCIClientError("code_unavailable", message, { cause });
  }
}
