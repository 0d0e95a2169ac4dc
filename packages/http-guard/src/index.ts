export { isLoopback, networkOf, urlHost } from "./address.ts";
export { BodyReader, type BodyReaderOptions } from "./body.ts";
export { GUARD_ERRORS, GuardError, type GuardErrorCode } from "./error.ts";
export { createHostGuard, type HostGuard, type HostGuardOptions } from "./host.ts";
export type { Caller } from "./issuer/caller.ts";
export type { IntrospectionClient } from "./issuer/introspect.ts";
export {
  createResourceServer,
  RESOURCE_METADATA_PATH,
  type RequestPlace,
  type ResourceServer,
  type ResourceServerOptions,
} from "./issuer/resource-server.ts";
export { ListenError, listen } from "./listen.ts";
export { StreamLimiter } from "./mcp/stream-limiter.ts";
export { RateLimiter, type RateLimiterOptions } from "./rate-limit.ts";
export { limitSlowClients, SLOW_REQUEST_TIMEOUTS, type SlowClientLimits } from "./slow-clients.ts";
export { withTimeout } from "./timeout.ts";
export { createToken, createTokenCheck, isUsableToken, type TokenCheck } from "./token.ts";
