import { isObject } from "@mci-ts/primitives/is-object";
import { raceAbort, sleep } from "../../abort.ts";
import { ToolError } from "../../errors.ts";
import type { CallOptions, RequestOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { InputContext, InputResponse } from "../input.ts";
import type { McpResult } from "../protocol.ts";
import { readInputRequest } from "../session/input-request.ts";
import { askPerson, MAX_QUESTIONS, noOneToAsk } from "../session/input-rounds.ts";
import { readTask, type ServerTask } from "./created-task.ts";

type TaskMethod = "tasks/get" | "tasks/update" | "tasks/cancel";

export interface DriveOptions extends CallOptions {
  readonly context: Omit<InputContext, "signal">;
  /** Sends a request on the session that the server has now. */
  readonly request: (
    method: TaskMethod,
    params: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ) => Promise<Readonly<Record<string, unknown>>>;
}

/** Milliseconds between two looks at a task, whatever the server wishes. */
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 30_000;
const DEFAULT_POLL_MS = 1000;
/** Milliseconds for one look. */
const REQUEST_TIMEOUT_MS = 30_000;
const CANCEL_TIMEOUT_MS = 5000;
/** Looks in a row that may fail while a session is opened again. */
const MAX_FAILURES = 5;

/**
 * Follows a task until it ends, and returns its result as if the call had waited for it. Each look uses the session of now, so
 * that a task outlives a broken connection. Time that a person takes does not count. A call that ends early cancels the task.
 */
export async function driveTask(created: ServerTask, options: DriveOptions): Promise<McpResult> {
  const { timeoutMs, signal = new AbortController().signal, input } = options;
  input?.onTask?.({ id: created.taskId });
  try {
    return await new TaskDriver(created, { ...options, signal, timeoutMs }).run();
  } catch (error) {
    if (!(error instanceof TaskEnded)) cancel(created, options);
    throw error instanceof TaskEnded ? error.cause : error;
  }
}

/** The server has ended the task: there is nothing to cancel. */
class TaskEnded extends Error {}

function cancel({ taskId }: ServerTask, { request }: DriveOptions): void {
  void request("tasks/cancel", { taskId }, { timeoutMs: CANCEL_TIMEOUT_MS }).catch(() => {});
}

class TaskDriver {
  readonly #options: DriveOptions & { readonly signal: AbortSignal };
  readonly #asked = new Set<string>();
  #task: ServerTask;
  #left: number;
  #failures = 0;
  #messages = 0;

  constructor(task: ServerTask, options: DriveOptions & { readonly signal: AbortSignal }) {
    this.#task = task;
    this.#options = options;
    this.#left = options.timeoutMs;
  }

  async run(): Promise<McpResult> {
    for (let isFirst = true; ; isFirst = false) {
      // What a task has become is in the next look, also if it had ended when it was made.
      if (isFirst && this.#task.status !== "working") await this.#timed(() => this.#look());
      const ended = this.#ended();
      if (ended !== undefined) return ended;
      if (this.#task.status === "input_required") await this.#answer();
      const wish = this.#task.pollIntervalMs ?? DEFAULT_POLL_MS;
      const wait = Math.min(Math.max(wish, MIN_POLL_MS) * 2 ** this.#failures, MAX_POLL_MS);
      await this.#timed(() => sleep(Math.min(wait, Math.max(this.#left, 1)), this.#options.signal));
      await this.#timed(() => this.#look());
    }
  }

  #ended(): McpResult | undefined {
    const { status, result, error, statusMessage } = this.#task;
    if (status === "completed") {
      if (isObject(result) && Array.isArray(result["content"])) return result as unknown as McpResult;
      throw ended("refused", "the server completed the task without a result");
    }
    if (status === "failed") {
      const { message, code } = isObject(error) ? error : {};
      const text = typeof message === "string" ? message : (statusMessage ?? "the task failed");
      throw ended("refused", text, typeof code === "number" ? code : undefined);
    }
    if (status === "cancelled") throw ended("refused", statusMessage ?? "the server cancelled the task");
    return undefined;
  }

  async #look(): Promise<void> {
    const { request, signal, onProgress } = this.#options;
    const { taskId, statusMessage } = this.#task;
    const timeoutMs = Math.max(1, Math.min(REQUEST_TIMEOUT_MS, this.#left));
    try {
      const task = readTask(await request("tasks/get", { taskId }, { timeoutMs, signal }));
      if (task === undefined || task.taskId !== taskId)
        throw ended("refused", "the server sent something else than the task");
      this.#task = task;
      this.#failures = 0;
    } catch (error) {
      if (error instanceof TaskEnded || signal.aborted) throw error;
      // To look does nothing: it may be repeated.
      if (!isPassing(error) || ++this.#failures > MAX_FAILURES) throw new TaskEnded("", { cause: error });
    }
    if (this.#task.statusMessage !== undefined && this.#task.statusMessage !== statusMessage)
      onProgress?.({ progress: ++this.#messages, message: this.#task.statusMessage });
  }

  /** Each question once: a server repeats them until it has seen the answer. */
  async #answer(): Promise<void> {
    const { request, input, context, signal } = this.#options;
    const open = Object.entries(this.#task.inputRequests ?? {}).filter(([key]) => !this.#asked.has(key));
    if (open.length === 0) return;
    if (this.#asked.size + open.length > MAX_QUESTIONS)
      throw new McpError("refused", `the task asked more than ${MAX_QUESTIONS} questions`);
    const questions = open.map(([key, asked]) => [key, readInputRequest(asked as object)] as const);
    const { onInput } = input ?? {};
    if (onInput === undefined) throw noOneToAsk(questions.map(([, asked]) => asked));
    for (const [key] of questions) this.#asked.add(key);
    const ask = async ([key, asked]: (typeof questions)[number]): Promise<[string, InputResponse]> => {
      return [key, await raceAbort(askPerson(onInput, asked, { ...context, signal }), signal)];
    };
    // A person reads one form at a time; a client that is told of tasks decides by itself.
    const answers: [string, InputResponse][] = [];
    if (input?.onTask) answers.push(...(await Promise.all(questions.map(ask))));
    else for (const question of questions) answers.push(await ask(question));
    const inputResponses = Object.fromEntries(answers);
    const { taskId } = this.#task;
    const timeoutMs = Math.max(1, Math.min(REQUEST_TIMEOUT_MS, this.#left));
    await this.#timed(() => request("tasks/update", { taskId, inputResponses }, { timeoutMs, signal }));
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#left <= 0)
      throw new McpError("timeout", `Connection timeout after ${this.#options.timeoutMs}ms`);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#left -= performance.now() - startedAt;
    }
  }
}

function ended(kind: "refused", message: string, rpcCode?: number): TaskEnded {
  return new TaskEnded("", { cause: new McpError(kind, message, rpcCode === undefined ? {} : { rpcCode }) });
}

/** The session is broken, or the server was slow to respond. */
function isPassing(error: unknown): boolean {
  const cause = error instanceof ToolError && error.cause instanceof McpError ? error.cause : error;
  return (
    cause instanceof McpError &&
    ["not_sent", "connection_lost", "unavailable", "timeout"].includes(cause.kind)
  );
}
