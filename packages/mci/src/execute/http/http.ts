import { traced } from "@mci-ts/primitives/tracing";
import { type Deadline, sleep, startDeadline } from "../../abort.ts";
import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import type { Call, Executor, SessionOptions } from "../executor.ts";
import { readAllowed } from "../file/read.ts";
import type { HttpAgent } from "./agent.ts";
import { compileHttp, type HttpPlan, type UnsignedRequest } from "./compile.ts";
import { wireObserver } from "./exchange.ts";
import { hasHeader, withHeader } from "./headers.ts";
import { joinPages } from "./pages.ts";
import { previewHttp } from "./preview.ts";
import { followRedirects } from "./redirects.ts";
import type { HttpRequest } from "./request.ts";
import { failOnStatus, outcomeOf } from "./response.ts";
import { retry } from "./retry.ts";
import type { RawResponse } from "./transport.ts";

/** HttpPlan -request-> HttpRequest -sign, follow redirects-> RawResponse -throw on status, retry-> RawResponse -> Outcome */
export const http: Executor<HttpExecution, HttpPlan, HttpAgent> = {
  compile: compileHttp,
  open,
  run,
  preview: previewHttp,
  login: (plan, scope) => plan.login?.(scope),
  close: (agent) => agent.close(),
};

/** What no file uses is never loaded: connections, and those through a proxy. */
async function open({ proxy, login: options }: SessionOptions): Promise<HttpAgent> {
  const { CONNECT_TIMEOUT_MS, CONNECTIONS, HttpAgent } = await import("./agent.ts");
  const login = options && { login: options, proxy };
  if (proxy === undefined) return new HttpAgent({ login });
  const { ProxyAgents } = await import("../../proxy/proxy-agent.ts");
  const proxies = await ProxyAgents.open(proxy, { pool: CONNECTIONS, timeoutMs: CONNECT_TIMEOUT_MS });
  return new HttpAgent({ proxies, login });
}

/** The same key with every attempt; one that the caller gave in its input stays. */
function withIdempotencyKey(unsigned: UnsignedRequest, { tool, idempotencyKey }: Call): UnsignedRequest {
  if (idempotencyKey === undefined) return unsigned;
  const header = tool.idempotency?.header;
  if (header === undefined) return unsigned;
  const add = (request: HttpRequest): HttpRequest =>
    hasHeader(request.headers, header.toLowerCase())
      ? request
      : { ...request, headers: withHeader(request.headers, header, idempotencyKey) };
  const { request, readBody } = unsigned;
  return {
    ...unsigned,
    request: add(request),
    ...(readBody && { readBody: async (readFile) => add(await readBody(readFile)) }),
  };
}

/** Where the application shows a person what to do, a call that needs a login waits for them, outside its own deadline. */
async function run(plan: HttpPlan, call: Call, agent: HttpAgent): Promise<Outcome> {
  try {
    return await runOnce(plan, call, agent);
  } catch (error) {
    const { onAuthorize } = agent;
    const isRefused = error instanceof ToolError && error.code === "login_required";
    if (!isRefused || plan.login === undefined || onAuthorize === undefined) throw error;
    await (await agent.logins()).logIn(plan.login(call.scope), { onAuthorize, signal: call.signal });
    return runOnce(plan, call, agent);
  }
}

async function runOnce(plan: HttpPlan, call: Call, agent: HttpAgent): Promise<Outcome> {
  const started = performance.now();
  const { scope, limits } = call;
  let attempts = 0;
  let received = {};
  let deadline: Deadline | undefined;
  try {
    const timeoutMs = plan.timeoutMs(scope);
    deadline = startDeadline(timeoutMs, call.signal, {
      timeout: () => new ToolError("http_timeout", `Connection timeout after ${timeoutMs}ms`),
      aborted: () => new ToolError("aborted", "The call was cancelled."),
    });
    const { signal, remaining } = deadline;
    const unsigned = await withFiles(withIdempotencyKey(plan.request(scope), call), call);
    const send = (request: HttpRequest) =>
      retry(
        (number) => {
          attempts = number;
          return traced(
            () => attemptSpan(request, number, call.mask),
            async (span) => {
              const timed = await attempt({ ...unsigned, request }, plan, call, agent, signal, number);
              span?.set({ "http.response.status_code": timed.response.status });
              if (timed.response.status >= 400) span?.fail(String(timed.response.status));
              return timed;
            },
          );
        },
        plan.retries(scope),
        { remaining, sleep: (ms) => sleep(ms, signal) },
      );
    const { response, responseMs } = await send(unsigned.request);
    received = receivedOf(plan, { response, responseMs });
    const read = (raw: RawResponse) =>
      outcomeOf(raw, unsigned.request.target.displayUrl, limits.maxResponseBytes);
    const first = await read(response);
    const outcome =
      plan.pagination === undefined
        ? first
        : await joinPages(
            { response, outcome: first },
            unsigned.request,
            plan.pagination,
            call,
            async (request) => {
              const page = await send(request);
              return { response: page.response, outcome: await read(page.response) };
            },
          );
    const times = { execution_time_ms: elapsedMs(started), attempts };
    return { ...outcome, metadata: { ...received, ...outcome.metadata, ...times } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const metadata = { ...received, ...error.metadata, execution_time_ms: elapsedMs(started), attempts };
    throw new ToolError(error.code, error.message, { cause: error.cause, metadata });
  } finally {
    deadline?.stop();
  }
}

/** By the conventions for HTTP, without path and query: they may hold what callers gave. A name of a host may have a token in it. */
function attemptSpan({ method, target }: HttpRequest, number: number, mask: Call["mask"]) {
  const { hostname, port, protocol } = new URL(target.origin);
  return {
    name: method,
    kind: "client" as const,
    attributes: {
      "http.request.method": method,
      "server.address": mask(hostname),
      "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
      ...(number > 1 && { "http.request.resend_count": number - 1 }),
    },
  };
}

/** Reads the files of a body, once for all attempts. */
async function withFiles(unsigned: UnsignedRequest, call: Call): Promise<UnsignedRequest> {
  if (unsigned.readBody === undefined) return unsigned;
  const request = await unsigned.readBody((path) => readAllowed(path, call));
  return { request, credentials: unsigned.credentials };
}

function receivedOf(plan: HttpPlan, { response, responseMs }: TimedResponse): Record<string, unknown> {
  return {
    status_code: response.status,
    response_time_ms: responseMs,
    ...(plan.responseHeaders.length === 0 ? {} : { response_headers: chosenHeaders(plan, response) }),
  };
}

/** The headers that the file asks for, by their lower-case names; several of one name are joined as HTTP allows. */
function chosenHeaders({ responseHeaders }: HttpPlan, { headers }: RawResponse): Record<string, string> {
  const found = responseHeaders.flatMap((name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (value === undefined) return [];
    return [[name, Buffer.from([value].flat().join(", "), "latin1").toString("utf8")]];
  });
  return Object.fromEntries(found);
}

interface TimedResponse {
  readonly response: RawResponse;
  /** How long this attempt took, redirects included, tokens not. */
  readonly responseMs: number;
}

async function attempt(
  { request, credentials }: UnsignedRequest,
  plan: HttpPlan,
  call: Call,
  agent: HttpAgent,
  signal: AbortSignal,
  number: number,
): Promise<TimedResponse> {
  const context = {
    agent,
    signal,
    onSecret: (value: string) => call.scope.onEnv(value, "credential"),
    mask: call.mask,
  };
  const sendSigned = async () => {
    const signed = credentials === undefined ? request : await credentials.sign(request, context);
    const started = performance.now();
    const observe = wireObserver(call, number, request, signed);
    const response = await followRedirects(signed, agent, signal, call.limits.maxResponseBytes, observe);
    return { response, responseMs: elapsedMs(started) };
  };
  const first = await sendSigned();
  if (first.response.status === 403)
    await credentials?.widen?.(agent, [first.response.headers["www-authenticate"] ?? ""].flat().join(", "));
  if (first.response.status !== 401 || credentials?.invalidate === undefined)
    return throwOnStatus(first, plan, call);
  // The token may have been revoked before it expired. Signed again once, not in a loop.
  credentials.invalidate(agent);
  return throwOnStatus(await sendSigned(), plan, call);
}

function throwOnStatus(timed: TimedResponse, plan: HttpPlan, { mask }: Call): TimedResponse | Promise<never> {
  if (timed.response.status < 400) return timed;
  return failOnStatus(timed.response, receivedOf(plan, timed), mask);
}

function elapsedMs(start: number): number {
  return Math.round(performance.now() - start);
}
