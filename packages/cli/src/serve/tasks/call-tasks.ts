import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { CallOptions, Tool } from "mci-ts";
import type { ElicitationModes, RelayOptions } from "../input/input-relay.ts";
import type { ReloadableClient } from "../reloadable-client.ts";
import type { ToolPages } from "../tool-pages.ts";
import type { CallTask, TaskStore } from "./call-task-store.ts";
import { hasTasks, missingTasks } from "./task-handlers.ts";

/** Milliseconds that a tool may take before its calls are tasks, where the file does not say. */
const SLOW_MS = 120_000;

type Result = CallToolResult | InputRequiredResult;

/** How a call learns that it is a task. */
export interface TaskHooks {
  /** All that a person decides before it is done. */
  onStart(): void;
  options(options: RelayOptions, modes: ElicitationModes): Partial<CallOptions>;
}

/** Which calls become tasks: those of slow tools at once, others when a server behind makes a task of them. */
export class CallTasks {
  readonly #client: ReloadableClient;
  #store: Promise<TaskStore> | undefined;
  /** Once for each list: it may be long. */
  #checked: { readonly pages: ToolPages; readonly isOffered: boolean } | undefined;

  constructor(client: ReloadableClient) {
    this.#client = client;
  }

  /** Whether there can be any. */
  get isOffered(): boolean {
    const { current, pages } = this.#client;
    if (this.#checked?.pages !== pages)
      this.#checked = { pages, isOffered: current.mcpServers().length > 0 || pages.tools.some(isSlow) };
    return this.#checked.isOffered;
  }

  /** Loaded with the first task. */
  store(): Promise<TaskStore> {
    this.#store ??= import("./call-task-store.ts").then(({ TaskStore }) => new TaskStore());
    return this.#store;
  }

  /** Ends with the result, or with the task that the call has become. */
  async call(
    owner: string,
    name: string,
    context: ServerContext,
    run: (context: ServerContext, hooks: TaskHooks | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (!this.isOffered) return run(context, undefined);
    const tool = this.#client.pages.find(name)?.tool;
    if (!hasTasks(context)) {
      if (tool?.task === "required") throw missingTasks();
      return run(context, undefined);
    }
    const timeoutMs = timeoutOf(tool) ?? 0;
    const task = (await this.store()).create({ owner, timeoutMs });
    if (task === undefined) return run(context, undefined);
    const call = new Promotable(task, context, tool !== undefined && isSlow(tool));
    return call.run(run);
  }

  async close(): Promise<void> {
    (await this.#store)?.close();
  }
}

/** A call that is answered with its result, unless it becomes a task before that. */
class Promotable implements TaskHooks {
  readonly #task: CallTask;
  readonly #context: ServerContext;
  readonly #isSlow: boolean;
  readonly #promoted = Promise.withResolvers<Result>();
  #isTask = false;

  constructor(task: CallTask, context: ServerContext, isSlow: boolean) {
    this.#task = task;
    this.#context = context;
    this.#isSlow = isSlow;
  }

  async run(run: (context: ServerContext, hooks: TaskHooks) => Promise<Result>): Promise<Result> {
    const { signal } = this.#context.mcpReq;
    // A client that leaves before it knows of the task cancels the call.
    const leave = () => this.#isTask || this.#task.cancel();
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    const call = run(this.#withTaskSignal(), this);
    try {
      const first = await Promise.race([call, this.#promoted.promise]);
      if (!this.#isTask) this.#task.end();
      return first;
    } catch (error) {
      this.#task.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
      if (this.#isTask) void this.#task.follow(call as Promise<CallToolResult>);
    }
  }

  onStart(): void {
    if (this.#isSlow) this.#promote();
  }

  options(options: RelayOptions, modes: ElicitationModes): Partial<CallOptions> {
    return {
      onTask: () => this.#promote(),
      onProgress: (progress) => {
        if (this.#isTask) this.#task.say(progress.message);
        else options.onProgress?.(progress);
      },
      // Until it is a task its client is asked as before.
      ...(options.onInput && {
        onInput: (request, context) =>
          this.#isTask && modes[request.mode] ? this.#task.ask(request) : options.onInput!(request, context),
      }),
      ...(this.#isSlow && { pauseOnInput: false }),
    };
  }

  #promote(): void {
    if (this.#isTask) return;
    this.#isTask = true;
    this.#promoted.resolve(this.#task.created() as unknown as Result);
  }

  /** The request ends with the task; the call does not. */
  #withTaskSignal(): ServerContext {
    const { mcpReq } = this.#context;
    return { ...this.#context, mcpReq: { ...mcpReq, signal: this.#task.signal } };
  }
}

function isSlow(tool: Tool): boolean {
  return tool.task === undefined ? (timeoutOf(tool) ?? 0) > SLOW_MS : tool.task !== false;
}

/** Undefined where the file does not say it as a number. */
function timeoutOf(tool: Tool | undefined): number | undefined {
  const timeout = (tool?.execution as { timeout_ms?: unknown } | undefined)?.timeout_ms;
  return typeof timeout === "number" ? timeout : undefined;
}
