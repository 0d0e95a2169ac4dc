import type { GuardError } from "@mci-ts/http-guard";
import {
  SERVICE_ERRORS,
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorOptions,
} from "../service-error.ts";

const STATUSES: Readonly<Record<ServiceErrorCode, number>> = {
  invalid_request: 400,
  context_length_exceeded: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden_host: 403,
  forbidden_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  task_conflict: 409,
  cancelled: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  budget_exhausted: 422,
  undecided: 422,
  rate_limited: 429,
  internal: 500,
  interrupted: 500,
  all_calls_failed: 502,
  no_valid_answer: 502,
  no_quorum: 502,
  invalid_decomposition: 502,
  overloaded: 503,
  issuer_unavailable: 503,
  daily_budget_exhausted: 503,
  shutting_down: 503,
  history_unavailable: 503,
  tasks_unavailable: 503,
  not_recorded: 503,
  deadline_exceeded: 504,
};

/** Every error code of the service: its status and meaning. */
export const HTTP_ERRORS = Object.fromEntries(
  Object.entries(SERVICE_ERRORS).map(([code, meaning]) => [code, [statusOf(code), meaning]]),
) as unknown as Readonly<Record<ServiceErrorCode, readonly [status: number, meaning: string]>>;

export type HttpErrorCode = ServiceErrorCode;

/** The status of an error. A code that an older version recorded, and that is gone, was an error of the service. */
export function statusOf(code: string): number {
  return STATUSES[code as ServiceErrorCode] ?? 500;
}

/** An error that only HTTP knows, with headers of its own. */
export class HttpError extends ServiceError {
  override readonly name = "HttpError";
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ServiceErrorCode,
    message: string,
    { headers = {}, ...options }: ServiceErrorOptions & { headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code, message, options);
    this.headers = headers;
  }
}

export function headersOf(error: ServiceError): Record<string, string> {
  return {
    ...retryAfterHeader(error.retryAfterSeconds),
    ...(error instanceof HttpError ? error.headers : {}),
  };
}

export function retryAfterHeader(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "retry-after": String(seconds) };
}

/** The guard's codes are all in the table above. */
export function fromGuardError({ code, message, headers, cause }: GuardError): HttpError {
  const details = code === "invalid_request" ? [{ path: "", message }] : [];
  return new HttpError(code, message, { details, headers, cause });
}
