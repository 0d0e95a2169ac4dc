import { ToolError } from "../errors.ts";
import type { ApiLogin } from "../login/api/api-login.ts";
import type { Preview } from "../preview.ts";
import type { Outcome } from "../result.ts";
import type { Execution } from "../schema/execution.ts";
import type { Compile, JsonPath, Scope } from "../template-api.ts";
import { cli } from "./cli/cli.ts";
import type { Call, Executor, SessionOptions } from "./executor.ts";
import { file } from "./file/file.ts";
import { http } from "./http/http.ts";
import { mcp } from "./mcp.ts";
import { text } from "./text.ts";

type Kind = Execution["type"];
// biome-ignore lint/suspicious/noExplicitAny: a plan goes only to the executor that made it
type AnyExecutor = Executor<any, any, any>;

/** Every kind of execution. */
const EXECUTORS: Record<Kind, AnyExecutor> = { text, file, cli, http, mcp };

/** A tool's execution with its templates parsed. */
export interface CompiledExecution {
  readonly type: Kind;
  readonly plan: unknown;
}

/** The login of a person that a tool's calls need, if they need one. */
export function loginOf({ type, plan }: CompiledExecution, scope: Scope): ApiLogin | undefined {
  return executorOf(type).login?.(plan, scope);
}

export function compileExecution(execution: Execution, compile: Compile, place: JsonPath): CompiledExecution {
  const plan: unknown = executorOf(execution.type).compile(execution, compile, place);
  return { type: execution.type, plan };
}

/** Runs compiled executions and keeps what they share between calls: one session per kind, opened on first use. */
export class ExecutorSessions {
  readonly #options: SessionOptions;
  readonly #sessions = new Map<Kind, unknown>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  run(compiled: CompiledExecution, call: Call): Promise<Outcome> {
    const executor = executorOf(compiled.type);
    let session = this.#sessions.get(compiled.type);
    if (session === undefined && executor.open) {
      session = executor.open(this.#options);
      this.#sessions.set(compiled.type, session);
    }
    if (session instanceof Promise) {
      return session.then((opened) => executor.run(compiled.plan, call, opened));
    }
    return executor.run(compiled.plan, call, session);
  }

  preview(compiled: CompiledExecution, call: Call): Promise<Preview> {
    return executorOf(compiled.type).preview(compiled.plan, call, this.#options);
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    await Promise.allSettled(
      sessions.map(async ([type, session]) => executorOf(type).close?.(await session)),
    );
  }
}

function executorOf(type: Kind): AnyExecutor {
  const executor = EXECUTORS[type];
  if (executor === undefined) throw new ToolError("internal", `No executor for execution type '${type}'.`);
  return executor;
}
