import { ToolError } from "../../src/errors.ts";
import {
  type Call,
  DEFAULT_LIMITS,
  type Executor,
  type Limits,
  type PathRules,
} from "../../src/execute/executor.ts";
import type { Outcome } from "../../src/result.ts";
import { TemplateCompiler } from "../../src/template/compile.ts";
import type { Compile } from "../../src/template-api.ts";

export interface CallOptions {
  readonly props?: Record<string, unknown>;
  readonly env?: Record<string, unknown>;
  readonly absent?: readonly string[];
  readonly paths?: Partial<PathRules>;
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal;
  readonly onEnv?: (value: unknown) => void;
}

export const compile: Compile = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} });

export function makeCall(baseDir: string, options: CallOptions = {}, compiler = compile): Call {
  return {
    tool: { name: "tool", execution: { type: "text", text: "" } },
    scope: {
      props: options.props ?? {},
      env: options.env ?? {},
      absent: new Set(options.absent),
      onEnv: options.onEnv ?? (() => {}),
    },
    signal: options.signal ?? new AbortController().signal,
    paths: { baseDir, enableAnyPaths: false, directoryAllowList: [], ...options.paths },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    compile: compiler,
    mask: (text) => text,
  };
}

/** One tool of one client: compiled once, one session, as many calls as wanted. */
export function makeTool<Execution, Plan, Session>(
  executor: Executor<Execution, Plan, Session>,
  execution: Execution,
  baseDir: string,
  compiler = compile,
) {
  const plan = executor.compile(execution, compiler, ["tools", 0, "execution"]);
  const session = executor.open?.({ limits: DEFAULT_LIMITS }) as Session;
  return {
    run: (options?: CallOptions): Promise<Outcome> =>
      executor.run(plan, makeCall(baseDir, options, compiler), session),
    close: () => executor.close?.(session),
  };
}

/** The text of a successful outcome. */
export function textOf({ content }: Outcome): string {
  return content.map((item) => (item.type === "text" ? item.text : `<${item.type}>`)).join("");
}

/** The `ToolError` a call ends with; anything else fails the test. */
export async function failure(outcome: Promise<unknown>): Promise<ToolError> {
  const result = await outcome.then(
    (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (result instanceof ToolError) return result;
  throw result;
}
