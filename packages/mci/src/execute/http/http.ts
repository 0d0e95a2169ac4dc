import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import type { Call, Executor } from "../executor.ts";
import { retry } from "../retry.ts";
import type { HttpSession } from "./agent.ts";
import { fetchToken } from "./auth/oauth-token.ts";
import { compileHttp, type HttpPlan, type HttpRequest } from "./compile.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { withHeader } from "./headers.ts";
import { follow } from "./redirects.ts";
import { failOnStatus, outcomeOf } from "./response.ts";
import type { Reply } from "./transport.ts";

/** HttpPlan -request-> HttpRequest -token, follow-> Reply -judge, retry-> Reply -outcomeOf-> Outcome */
export const http: Executor<HttpExecution, HttpPlan, HttpSession> = {
  compile: compileHttp,
  open: async () => new (await import("./agent.ts")).HttpSession(),
  run,
  close: (session) => session.close(),
};

async function run(plan: HttpPlan, call: Call, session: HttpSession): Promise<Outcome> {
  const started = performance.now();
  const { scope, limits } = call;
  let attempts = 0;
  let received = {};
  let deadline: Deadline | undefined;
  try {
    deadline = startDeadline(plan.timeoutMs(scope), call.signal);
    const time = deadline;
    const request = plan.request(scope);
    const { reply, responseMs } = await retry(
      (number) => {
        attempts = number;
        return attempt(request, call, session, time.signal);
      },
      plan.retries(scope),
      time,
    );
    received = { status_code: reply.status, response_time_ms: responseMs };
    const outcome = await outcomeOf(reply, request.target.shown, limits.maxResponseBytes);
    return { ...outcome, metadata: { ...received, execution_time_ms: since(started), attempts } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const metadata = { ...received, ...error.metadata, execution_time_ms: since(started), attempts };
    throw new ToolError(error.code, error.message, { cause: error.cause, metadata });
  } finally {
    deadline?.stop();
  }
}

interface Answer {
  readonly reply: Reply;
  /** Of this try, redirects included, tokens not. */
  readonly responseMs: number;
}

async function attempt(
  request: HttpRequest,
  call: Call,
  session: HttpSession,
  signal: AbortSignal,
): Promise<Answer> {
  const { oauth } = request;
  if (oauth === undefined) return judge(await send(request), request.secrets);
  const token = await getToken();
  const answer = await send(withToken(request, token));
  if (answer.reply.status !== 401) return judge(answer, [...request.secrets, token]);
  // The token may have been revoked before its time. Once, not in a circle.
  session.tokens.forget(oauth, token);
  const renewed = await getToken();
  return judge(await send(withToken(request, renewed)), [...request.secrets, renewed]);

  async function send(ready: HttpRequest): Promise<Answer> {
    const started = performance.now();
    const reply = await follow(ready, session, signal, call.limits.maxResponseBytes);
    return { reply, responseMs: since(started) };
  }

  async function getToken(): Promise<string> {
    const fetch = (end: AbortSignal) => fetchToken(oauth!, session, end, request.allowPrivateNetwork);
    const value = await session.tokens.get(oauth!, signal, fetch);
    call.scope.onEnv(value); // From here on a secret like any other.
    return value;
  }
}

function withToken(request: HttpRequest, token: string): HttpRequest {
  return { ...request, headers: withHeader(request.headers, "Authorization", `Bearer ${token}`) };
}

function judge(answer: Answer, secrets: readonly unknown[]): Answer | Promise<never> {
  const { reply, responseMs } = answer;
  if (reply.status < 400) return answer;
  return failOnStatus(reply, { status_code: reply.status, response_time_ms: responseMs }, secrets);
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
