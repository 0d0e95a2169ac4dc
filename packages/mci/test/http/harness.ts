import { onTestFinished } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { type Call, DEFAULT_LIMITS, type Limits } from "../../src/execute/executor.ts";
import { HttpAgent, type HttpAgentOptions } from "../../src/execute/http/agent.ts";
import { http } from "../../src/execute/http/http.ts";
import type { Outcome } from "../../src/result.ts";
import type { HttpExecution } from "../../src/schema/execution.ts";
import { Secrets } from "../../src/secrets.ts";
import { TemplateCompiler } from "../../src/template/compile.ts";

export type Execution = Omit<HttpExecution, "type">;

export interface CallOptions {
  readonly props?: Record<string, unknown>;
  readonly env?: Record<string, unknown>;
  readonly absent?: readonly string[];
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
}

export const compile = new TemplateCompiler({
  limits: DEFAULT_LIMITS,
  report: (problem) => {
    throw new Error(problem.message);
  },
});

/** A session that the end of the test closes. */
export function openSession(options?: HttpAgentOptions): HttpAgent {
  const session = new HttpAgent(options);
  onTestFinished(() => session.close());
  return session;
}

export interface Tool {
  call(options?: CallOptions): Promise<Outcome>;
  /** The error of a call that must fail. */
  fail(options?: CallOptions): Promise<ToolError>;
  /** Every value reported as secret so far. */
  readonly secrets: unknown[];
  readonly session: HttpAgent;
}

/** A tool on its own session, or on a shared one. */
export async function tool(execution: Execution, shared?: HttpAgent): Promise<Tool> {
  const session = shared ?? openSession();
  const plan = http.compile({ type: "http", ...execution }, compile, []);
  const secrets: unknown[] = [];
  const call = ({ props = {}, env = {}, absent = [], signal, limits }: CallOptions = {}) => {
    const masker = new Secrets();
    const scope = {
      props,
      env,
      absent: new Set(absent),
      onEnv: (value: unknown) => {
        secrets.push(value);
        masker.add(value);
      },
    };
    const made = {
      scope,
      signal: signal ?? new AbortController().signal,
      limits: { ...DEFAULT_LIMITS, ...limits },
      mask: (text: string) => masker.mask(text),
    };
    return http.run(plan, made as unknown as Call, session);
  };
  const fail = async (options?: CallOptions) => {
    const result = await call(options).catch((error: unknown) => error);
    if (result instanceof ToolError) return result;
    throw new Error(`expected a ToolError, got ${JSON.stringify(result)}`, { cause: result });
  };
  return { call, fail, secrets, session };
}

export function textOf(outcome: Outcome): string {
  return outcome.content.map((item) => (item.type === "text" ? item.text : "")).join("");
}

/** The echo server's account of what it received. */
export function echoed(outcome: Outcome): Echo {
  return outcome.structuredContent as Echo;
}

export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}
