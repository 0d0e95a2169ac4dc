export { isLoopback, networkOf, urlHost } from "./address.ts";
export { BodyReader, type BodyReaderOptions } from "./body.ts";
export { GUARD_ERRORS, GuardError, type GuardErrorCode } from "./error.ts";
export { createHostGuard, type HostGuard, type HostGuardOptions } from "./host.ts";
export { ListenError, listen } from "./listen.ts";
export { StreamLimiter } from "./mcp/stream-limiter.ts";
export { RateLimiter, type RateLimiterOptions } from "./rate-limit.ts";
export { withTimeout } from "./timeout.ts";
export { createToken, createTokenCheck, isUsableToken, type TokenCheck } from "./token.ts";
