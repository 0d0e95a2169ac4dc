import { HTTP_METHODS } from "@mci-ts/primitives/http-methods";
import { compileTimeout } from "../../count.ts";
import { ToolError } from "../../errors.ts";
import { type ApiLogin, isLoginAuth } from "../../login/api/api-login.ts";
import { DEFAULT_TIMEOUT_MS } from "../../schema/defaults.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import { credentialScope } from "../../secrets.ts";
import { type Compile, type JsonPath, OMITTED, type Scope } from "../../template-api.ts";
import { compileAuth } from "./auth/auth.ts";
import type { Credentials, RequestUrl } from "./auth/auth-type.ts";
import { basicAuthorization } from "./auth/basic.ts";
import { compileLogin } from "./auth/login.ts";
import { compileBody } from "./body/body.ts";
import type { EncodedBody, ReadFile } from "./body/body-type.ts";
import { compileCookies, withCookies } from "./cookies.ts";
import { compileHeaders, hasHeader, withHeader, withoutHeaders } from "./headers.ts";
import type { HttpRequest, Method } from "./request.ts";
import { compileRetries, type RetryPolicy } from "./retry.ts";
import { encodeParams } from "./url/params.ts";
import { withPathParams } from "./url/path-params.ts";
import { appendQuery } from "./url/query.ts";
import { compileUrl } from "./url/url.ts";

/** An http execution with its templates parsed. */
export interface HttpPlan {
  readonly request: (scope: Scope) => UnsignedRequest;
  /** Deadline of the whole call. */
  readonly timeoutMs: (scope: Scope) => number;
  readonly retries: (scope: Scope) => RetryPolicy;
  /** Lower-case names of the response headers to return. */
  readonly responseHeaders: readonly string[];
  readonly pagination: HttpExecution["pagination"];
  /** The login of a person that it needs. */
  readonly login?: (scope: Scope) => ApiLogin;
}

function requestUrl({ url }: HttpExecution, at: (...path: string[]) => JsonPath): RequestUrl {
  return { source: url, place: at("url") };
}

export interface UnsignedRequest {
  readonly request: HttpRequest;
  readonly credentials: Credentials | undefined;
  /** The body has files in it: reads them and completes the request. */
  readonly readBody?: (readFile: ReadFile) => Promise<HttpRequest>;
}

export function compileHttp(execution: HttpExecution, compile: Compile, place: JsonPath): HttpPlan {
  const at = (...path: (string | number)[]): JsonPath => [...place, ...path];
  const timeoutMs = compileTimeout(execution.timeout_ms, compile, place);
  return {
    request: compileRequest(execution, compile, at),
    pagination: execution.pagination,
    ...(isLoginAuth(execution.auth) && {
      login: compileLogin(execution.auth, compile, at("auth"), requestUrl(execution, at)),
    }),
    responseHeaders: (execution.responseHeaders ?? []).map((name) => name.toLowerCase()),
    timeoutMs: (scope) => timeoutMs(scope) ?? DEFAULT_TIMEOUT_MS,
    retries: compileRetries(execution.retries, compile, at("retries")),
  };
}

function compileRequest(
  execution: HttpExecution,
  compile: Compile,
  at: (...path: (string | number)[]) => JsonPath,
): (scope: Scope) => UnsignedRequest {
  const { body, params, pathParams, cookies, paramStyles: styles = {} } = execution;
  const allowPrivateNetwork = execution.allowPrivateNetwork === true;
  const method = compileMethod(execution.method ?? "GET", compile, at("method"));
  const url = compile.text(execution.url, at("url"));
  const target = compileUrl(
    pathParams ? withPathParams(url, pathParams, styles.path ?? {}, compile, at("pathParams")) : url,
  );
  const query = params && Object.keys(params).length > 0 ? compile.value(params, at("params")) : undefined;
  const headers = compileHeaders(execution.headers ?? {}, compile, at("headers"), styles.header);
  const jar = cookies && compileCookies(cookies, styles.cookie ?? {}, compile, at("cookies"));
  const keyName =
    execution.auth?.type === "apiKey" && execution.auth.in === "query" ? [execution.auth.name] : [];
  const auth = execution.auth && compileAuth(execution.auth, compile, at("auth"), requestUrl(execution, at));
  const content = body && compileBody(body, compile, at("body"));

  return ({ onEnv, ...rest }) => {
    const secrets: unknown[] = [];
    const onEnvValue: Scope["onEnv"] = (value, use) => {
      secrets.push(value);
      onEnv(value, use);
    };
    const scope: Scope = { ...rest, onEnv: onEnvValue };
    const payload = content?.(scope);
    const secretBody = secrets.length > 0;
    const destination = target(scope);
    const credentials = auth?.(scope);
    let path = destination.path;
    if (query)
      path = appendQuery(
        path,
        encodeParams(query.render(scope) as Record<string, unknown>, styles.query ?? {}, keyName),
      );
    let list = headers(credentialScope(scope));
    if (jar) list = withCookies(list, jar(credentialScope(scope)));
    if (body && payload === undefined) list = withoutHeaders(list, (name) => name === "content-type");
    if (destination.userinfo !== undefined && !hasHeader(list, "authorization")) {
      list = withHeader(list, "Authorization", basicAuthorization(destination.userinfo));
    }
    const request = {
      method: method(scope),
      target: destination,
      path,
      headers: list,
      body: undefined,
      secretBody,
      secrets,
      allowPrivateNetwork,
    };
    if (payload === undefined) return { request, credentials };
    if ("bytes" in payload) return { request: withBody(request, payload), credentials };
    const readBody = async (readFile: ReadFile) => withBody(request, await payload.read(readFile));
    return { request, credentials, readBody };
  };
}

function withBody(request: HttpRequest, { bytes, contentType }: EncodedBody): HttpRequest {
  const { headers } = request;
  const isSet = hasHeader(headers, "content-type");
  return {
    ...request,
    body: bytes,
    headers: isSet ? headers : withHeader(headers, "content-type", contentType),
  };
}

function compileMethod(source: string, compile: Compile, place: JsonPath): (scope: Scope) => Method {
  const fixed = methodNamed(source);
  if (fixed !== undefined) return () => fixed;
  const text = compile.text(source, place);
  return (scope) => {
    const rendered = text.render(scope);
    const method = rendered === OMITTED ? "GET" : methodNamed(rendered);
    if (method === undefined)
      throw new ToolError("invalid_config", `method must be one of ${HTTP_METHODS.join(", ")}.`);
    return method;
  };
}

function methodNamed(name: string): Method | undefined {
  return HTTP_METHODS.find((method) => method === name.trim().toUpperCase());
}
