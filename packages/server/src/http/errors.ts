import type { CouncilError, CouncilErrorCode } from "@mci-ts/council";
import type { GuardError } from "@mci-ts/http-guard";
import type { ErrorBody } from "./api-schemas.ts";

/** Every error code of the service: its status and meaning. */
export const HTTP_ERRORS = {
  invalid_request: [400, "The request is invalid; `details` names each problem."],
  context_length_exceeded: [
    400,
    "The request is longer than the context window of a model; shorten it, or use another model.",
  ],
  unauthorized: [401, "The bearer token is missing or wrong."],
  forbidden_host: [403, "The Host header names a host that this service does not serve."],
  forbidden_origin: [403, "A web page of this origin may not call the service."],
  not_found: [404, "There is no endpoint at this path, or no run or task with this id."],
  method_not_allowed: [405, "The path exists, but not for this method; see the Allow header."],
  task_conflict: [409, "The status of the task does not allow this; the message says what is possible."],
  cancelled: [409, "The run was cancelled, or its client disconnected."],
  body_too_large: [413, "The request body is larger than the limit."],
  unsupported_media_type: [415, "The request body must be application/json."],
  idempotency_mismatch: [422, "The Idempotency-Key was used before with another request."],
  budget_exhausted: [
    422,
    "A limit on calls, tokens or cost was reached before there was a result; raise it.",
  ],
  rate_limited: [429, "Too many requests from this client; see Retry-After."],
  internal: [500, "A bug in the service; please report it."],
  all_calls_failed: [
    502,
    "Every model call failed; the message says why, for example a wrong key or a provider that is down.",
  ],
  no_valid_answer: [502, "The model replied, but every reply was red-flagged; the message names the rule."],
  no_quorum: [502, "Too few seats of the council returned a proposal."],
  invalid_decomposition: [502, "No sample was a well-formed decomposition; try again, or another model."],
  interrupted: [500, "The service stopped while the run was in flight."],
  overloaded: [503, "Too many runs are in flight; see Retry-After."],
  daily_budget_exhausted: [503, "The daily budget of the service is spent; see Retry-After."],
  shutting_down: [503, "The service is stopping; see Retry-After."],
  history_unavailable: [503, "The history cannot be read at the moment."],
  tasks_unavailable: [
    503,
    "Tasks cannot be reached: the database is down, or a package is missing; the message says which.",
  ],
  deadline_exceeded: [504, "The deadline passed before there was a result; raise `deadline_ms`."],
} as const satisfies Record<CouncilErrorCode | string, readonly [number, string]>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

export interface Detail {
  readonly path: string;
  readonly message: string;
}

/** Thrown anywhere below a route; the app turns it into one error shape. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly details: readonly Detail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: HttpErrorCode,
    message: string,
    options: {
      details?: readonly Detail[];
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return HTTP_ERRORS[this.code][0];
  }

  get body(): ErrorBody {
    return { error: { code: this.code, message: this.message, details: [...this.details] } };
  }
}

/** The engine's codes are all in the table above. A provider's Retry-After is passed on. */
export function fromCouncilError(error: CouncilError): HttpError {
  const { code, message, problems, retryAfterMs } = error;
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  return new HttpError(code, message, { details: problems, headers, cause: error });
}

/** The guard's codes are all in the table above. */
export function fromGuardError({ code, message, headers, cause }: GuardError): HttpError {
  const details = code === "invalid_request" ? [{ path: "", message }] : [];
  return new HttpError(code, message, { details, headers, cause });
}
