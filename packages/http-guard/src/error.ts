/** Why a request is refused, and the HTTP status that says so. */
export const GUARD_ERRORS = {
  invalid_request: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden_host: 403,
  forbidden_origin: 403,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  overloaded: 503,
  issuer_unavailable: 503,
} as const;

export type GuardErrorCode = keyof typeof GUARD_ERRORS;

/** Thrown by every check of this package. */
export class GuardError extends Error {
  override readonly name = "GuardError";
  readonly code: GuardErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: GuardErrorCode,
    message: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return GUARD_ERRORS[this.code];
  }
}
