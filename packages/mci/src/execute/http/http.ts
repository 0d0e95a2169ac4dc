import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import type { Call, Executor } from "../executor.ts";
import { retry } from "../retry.ts";
import type { HttpAgent } from "./agent.ts";
import { fetchToken } from "./auth/oauth-token.ts";
import { compileHttp, type HttpPlan, type HttpRequest } from "./compile.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { withHeader } from "./headers.ts";
import { followRedirects } from "./redirects.ts";
import { failOnStatus, outcomeOf } from "./response.ts";
import type { RawResponse } from "./transport.ts";

/** HttpPlan -request-> HttpRequest -token, follow-> Reply -judge, retry-> Reply -outcomeOf-> Outcome */
export const http: Executor<HttpExecution, HttpPlan, HttpAgent> = {
  compile: compileHttp,
  open: async () => new (await import("./agent.ts")).HttpAgent(),
  run,
  close: (agent) => agent.close(),
};

async function run(plan: HttpPlan, call: Call, agent: HttpAgent): Promise<Outcome> {
  const started = performance.now();
  const { scope, limits } = call;
  let attempts = 0;
  let received = {};
  let deadline: Deadline | undefined;
  try {
    deadline = startDeadline(plan.timeoutMs(scope), call.signal);
    const clock = deadline;
    const request = plan.request(scope);
    const { response, responseMs } = await retry(
      (number) => {
        attempts = number;
        return attempt(request, call, agent, clock.signal);
      },
      plan.retries(scope),
      clock,
    );
    received = { status_code: response.status, response_time_ms: responseMs };
    const outcome = await outcomeOf(response, request.target.displayUrl, limits.maxResponseBytes);
    return { ...outcome, metadata: { ...received, execution_time_ms: elapsedMs(started), attempts } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const metadata = { ...received, ...error.metadata, execution_time_ms: elapsedMs(started), attempts };
    throw new ToolError(error.code, error.message, { cause: error.cause, metadata });
  } finally {
    deadline?.stop();
  }
}

interface TimedResponse {
  readonly response: RawResponse;
  /** Of this try, redirects included, tokens not. */
  readonly responseMs: number;
}

async function attempt(
  request: HttpRequest,
  call: Call,
  agent: HttpAgent,
  signal: AbortSignal,
): Promise<TimedResponse> {
  const { oauth } = request;
  if (oauth === undefined) return throwOnStatus(await send(request), request.secrets);
  const token = await getToken();
  const timed = await send(withToken(request, token));
  if (timed.response.status !== 401) return throwOnStatus(timed, [...request.secrets, token]);
  // The token may have been revoked before its time. Once, not in a circle.
  agent.tokens.invalidate(oauth, token);
  const renewed = await getToken();
  return throwOnStatus(await send(withToken(request, renewed)), [...request.secrets, renewed]);

  async function send(ready: HttpRequest): Promise<TimedResponse> {
    const started = performance.now();
    const response = await followRedirects(ready, agent, signal, call.limits.maxResponseBytes);
    return { response, responseMs: elapsedMs(started) };
  }

  async function getToken(): Promise<string> {
    const fetch = (end: AbortSignal) => fetchToken(oauth!, agent, end, request.allowPrivateNetwork);
    const value = await agent.tokens.get(oauth!, signal, fetch);
    call.scope.onEnv(value); // From here on a secret like any other.
    return value;
  }
}

function withToken(request: HttpRequest, token: string): HttpRequest {
  return { ...request, headers: withHeader(request.headers, "Authorization", `Bearer ${token}`) };
}

function throwOnStatus(timed: TimedResponse, secrets: readonly unknown[]): TimedResponse | Promise<never> {
  const { response, responseMs } = timed;
  if (response.status < 400) return timed;
  return failOnStatus(response, { status_code: response.status, response_time_ms: responseMs }, secrets);
}

function elapsedMs(start: number): number {
  return Math.round(performance.now() - start);
}
