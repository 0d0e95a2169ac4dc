import { ToolError } from "../errors.ts";
import type { ApiLogin } from "../login/api/api-login.ts";
import type { Preview } from "../preview.ts";
import type { Outcome } from "../result.ts";
import type { Execution } from "../schema/execution.ts";
import type { Compile, JsonPath, Scope } from "../template-api.ts";
import { cli } from "./cli/cli.ts";
import type { Call, Executor, SessionOptions } from "./executor.ts";
import { file } from "./file/file.ts";
import { mcp } from "./mcp.ts";
import { text } from "./text.ts";

type Kind = Execution["type"];
// biome-ignore lint/suspicious/noExplicitAny: a plan goes only to the executor that made it
type AnyExecutor = Executor<any, any, any>;

/** Every kind of execution. The largest is loaded for the files that use it. */
const EXECUTORS: Record<Kind, () => AnyExecutor | Promise<AnyExecutor>> = {
  text: () => text,
  file: () => file,
  cli: () => cli,
  http: async () => (await import("./http/http.ts")).http,
  mcp: () => mcp,
};

export type Executors = ReadonlyMap<Kind, AnyExecutor>;

/** What runs these kinds of execution. Default: every kind. */
export async function openExecutors(
  kinds: ReadonlySet<Kind> = new Set(Object.keys(EXECUTORS) as Kind[]),
): Promise<Executors> {
  return new Map(await Promise.all([...kinds].map(async (kind) => [kind, await EXECUTORS[kind]()] as const)));
}

/** A tool's execution with its templates parsed. */
export interface CompiledExecution {
  readonly type: Kind;
  readonly executor: AnyExecutor;
  readonly plan: unknown;
}

/** The login of a person that a tool's calls need, if they need one. */
export function loginOf({ executor, plan }: CompiledExecution, scope: Scope): ApiLogin | undefined {
  return executor.login?.(plan, scope);
}

export function compileExecution(
  execution: Execution,
  executors: Executors,
  compile: Compile,
  place: JsonPath,
): CompiledExecution {
  const { type } = execution;
  const executor = executors.get(type);
  if (executor === undefined) throw new ToolError("internal", `No executor for execution type '${type}'.`);
  return { type, executor, plan: executor.compile(execution, compile, place) };
}

/** Runs compiled executions and keeps what they share between calls: one session per kind, opened on first use. */
export class ExecutorSessions {
  readonly #options: SessionOptions;
  readonly #sessions = new Map<AnyExecutor, unknown>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  run({ executor, plan }: CompiledExecution, call: Call): Promise<Outcome> {
    let session = this.#sessions.get(executor);
    if (session === undefined && executor.open) {
      session = executor.open(this.#options);
      this.#sessions.set(executor, session);
    }
    if (session instanceof Promise) return session.then((opened) => executor.run(plan, call, opened));
    return executor.run(plan, call, session);
  }

  preview({ executor, plan }: CompiledExecution, call: Call): Promise<Preview> {
    return executor.preview(plan, call, this.#options);
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map(async ([executor, session]) => executor.close?.(await session)));
  }
}
