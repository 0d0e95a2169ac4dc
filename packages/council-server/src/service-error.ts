import type { CouncilError, CouncilErrorCode } from "@mci-ts/council";
import type { ErrorBody } from "./api/api-schemas.ts";

/** Every error code of the service, and its meaning. `http/errors.ts` has the status of each. */
export const SERVICE_ERRORS = {
  invalid_request: "The request is invalid; `details` names each problem.",
  context_length_exceeded:
    "The request is longer than the context window of a model; shorten it, or use another model.",
  unauthorized: "The bearer token is missing or wrong, or the issuer's token is refused.",
  insufficient_scope: "The token of the issuer has none of the scopes that this needs.",
  forbidden_host: "The Host header names a host that this service does not serve.",
  forbidden_origin: "A web page of this origin may not call the service.",
  not_found: "There is no endpoint at this path, or no run or task with this id.",
  method_not_allowed: "The path exists, but not for this method; see the Allow header.",
  task_conflict: "The status of the task does not allow this; the message says what is possible.",
  cancelled: "The run was cancelled, or its client disconnected.",
  body_too_large: "The request body is larger than the limit.",
  unsupported_media_type: "The request body must be application/json.",
  idempotency_mismatch: "The Idempotency-Key was used before with another request.",
  undecided: "The votes on an agent's next action do not agree, and `config.act.undecided` is `error`.",
  budget_exhausted: "A limit on calls, tokens or cost was reached before there was a result; raise it.",
  rate_limited: "Too many requests from this client; see Retry-After.",
  internal: "A bug in the service; please report it.",
  all_calls_failed:
    "Every model call failed; the message says why, for example a wrong key or a provider that is down.",
  no_valid_answer: "The model replied, but every reply was red-flagged; the message names the rule.",
  no_quorum: "Too few seats of the council returned a proposal.",
  invalid_decomposition: "No sample was a well-formed decomposition; try again, or another model.",
  interrupted: "The service stopped while the run was in flight.",
  overloaded: "Too many runs are in flight; see Retry-After.",
  issuer_unavailable: "The token cannot be checked, because its issuer does not respond; try again.",
  daily_budget_exhausted: "The daily budget of the service is spent; see Retry-After.",
  shutting_down: "The service is stopping; see Retry-After.",
  history_unavailable: "The history cannot be read at the moment.",
  tasks_unavailable:
    "Tasks cannot be reached: the database is down, or a package is missing; the message says which.",
  not_recorded:
    "The run ended, but this instance lost the shared database and could not record it; send the request again.",
  deadline_exceeded: "The deadline passed before there was a result; raise `deadline_ms`.",
} as const satisfies Record<CouncilErrorCode | string, string>;

export type ServiceErrorCode = keyof typeof SERVICE_ERRORS;

export interface Detail {
  readonly path: string;
  readonly message: string;
}

export interface ServiceErrorOptions {
  readonly details?: readonly Detail[];
  /** When it is worth another attempt. Default: unknown. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** What any part of the service throws for its client: a code, not a status of one protocol. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly details: readonly Detail[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ServiceErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get body(): ErrorBody {
    return { error: { code: this.code, message: this.message, details: [...this.details] } };
  }
}

/** The engine's codes are all in the table above. When a provider said when to come back, so does the service. */
export function fromCouncilError(error: CouncilError): ServiceError {
  const { code, message, problems, retryAfterMs } = error;
  const retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  return new ServiceError(code, message, { details: problems, cause: error, retryAfterSeconds });
}

/** Thrown to new requests while the service stops. */
export function shuttingDown(): ServiceError {
  return new ServiceError("shutting_down", "The service is stopping", { retryAfterSeconds: 5 });
}
