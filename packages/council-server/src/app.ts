import { AsyncLocalStorage } from "node:async_hooks";
import type { HttpBindings } from "@hono/node-server";
import { BodyReader, createHostGuard, createTokenCheck, GuardError, RateLimiter } from "@mci-ts/http-guard";
import { Hono } from "hono";
import { createAuthentication } from "./http/access/authenticate.ts";
import { ownedService, type Viewer } from "./http/access/owned-service.ts";
import { fromGuardError, HttpError, headersOf, statusOf } from "./http/errors.ts";
import { notFoundMessage } from "./http/not-found.ts";
import { parse } from "./http/parse.ts";
import { type AppContext, jsonResponse, type Route } from "./http/route.ts";
import { createRoutes } from "./routes/routes.ts";
import type { CouncilService } from "./service.ts";
import { ServiceError } from "./service-error.ts";

export type App = Hono<{ Bindings: HttpBindings; Variables: { route: string } }>;

/**
 * request -guard-> host, origin, token, rate -read, check-> body -route-> Response
 *
 * Everything thrown on the way becomes one error shape here, and only here.
 */
export function createApp(service: CouncilService): App {
  const { http } = service.config;
  const { host: checkHost, origin: checkOrigin } = createHostGuard({
    boundTo: http.host,
    allowedHosts: http.allowedHosts,
    allowedOrigins: http.allowedOrigins,
    advice: {
      host: () => "Add it to MCI_ALLOWED_HOSTS if it should be",
      origin: () => "Add the origin to MCI_ALLOWED_ORIGINS if they should be",
    },
  });
  const checkToken = createTokenCheck(http.token, { realm: "council", name: "<MCI_TOKEN>" });
  const rate = new RateLimiter({
    perSecond: http.rateLimit / 60,
    burst: http.rateLimit,
    description: `${http.rateLimit} a minute (MCI_RATE_LIMIT)`,
  });
  const bodies = new BodyReader({ limit: http.bodyLimit, setting: "MCI_BODY_LIMIT" });
  const conversations = new BodyReader({
    limit: Math.max(http.bodyLimit, http.actBodyLimit),
    setting: "MCI_ACT_BODY_LIMIT",
    maxValues: MAX_CONVERSATION_VALUES,
  });
  const readBody = async ({ body, isConversation, readBody: read }: Route, c: AppContext) => {
    const value = await (isConversation ? conversations : bodies).json(c.env.incoming);
    return read ? read(value) : parse(body!, value);
  };
  const authentication =
    http.issuer &&
    createAuthentication(http, http.issuer, ({ message }) => service.log(message, { level: "error" }));
  // What a request starts runs within its viewer; without an issuer there is none, and everything is everyone's.
  const viewers = new AsyncLocalStorage<Viewer>();
  const served = authentication ? ownedService(service, () => viewers.getStore() ?? NO_ONE) : service;
  const routes = createRoutes(served, authentication);
  const app: App = new Hono();

  app.use(async (c, next) => {
    const host = c.req.header("host");
    checkHost(host);
    const origin = c.req.header("origin");
    // Set on the Node.js response: on Hono's response, extra headers would turn its text into a stream and back.
    const { outgoing } = c.env;
    outgoing.setHeader("x-content-type-options", "nosniff");
    if (checkOrigin(origin, host) && origin !== undefined) setCorsHeaders(c, origin);
    await next();
    service.metrics.recordRequest(c.req.method, c.get("route") ?? "none", c.res.status);
  });

  /** Who sends the request, where an issuer knows. Throws for one that is refused. */
  async function admit(route: Route, c: AppContext): Promise<Viewer | undefined> {
    const authorization = c.req.header("authorization") ?? bearerOf(c.req.header("x-api-key"));
    const { remoteAddress = "" } = c.env.incoming.socket;
    if (authentication === undefined) {
      checkToken(authorization);
      rate.consume(remoteAddress);
      return undefined;
    }
    // Before the issuer is asked anything.
    rate.consume(remoteAddress);
    const viewer = await authentication.viewerOf(authorization, c.req.header("host"));
    if (route.admin) authentication.requireAdmin(viewer, c.req.header("host"));
    return viewer;
  }

  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path, async (c) => {
      c.set("route", route.path);
      try {
        if (route.public === "limited") rate.consume(c.env.incoming.socket.remoteAddress ?? "");
        const viewer = route.public ? undefined : await admit(route, c);
        const body = route.body ? await readBody(route, c) : undefined;
        const handle = () => route.handle(c, served, body);
        return await (viewer === undefined ? handle() : viewers.run(viewer, handle));
      } catch (error) {
        return respondWithError(toServiceError(error), route);
      }
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    const headers = { allow: methods.join(", ") };
    app.all(path, (c) => {
      if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers });
      const message = `${path} supports ${methods.join(" and ")}, not ${c.req.method}`;
      throw new HttpError("method_not_allowed", message, { headers });
    });
  }
  // Below /v1 every error has the shape of that protocol, also where there is no route.
  const protocolOf = (path: string) =>
    routes.find((route) => path.startsWith(route.path) && route.path.startsWith("/v1/")) ??
    routes.find((route) => path.startsWith("/v1/") && route.path.startsWith("/v1/"));
  app.notFound((c) =>
    respondWithError(new HttpError("not_found", notFoundMessage(c.req.path)), protocolOf(c.req.path)),
  );
  app.onError((error, c) => respondWithError(toServiceError(error), protocolOf(c.req.path)));

  function toServiceError(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    if (error instanceof GuardError) return fromGuardError(error);
    service.log(`unexpected error: ${error instanceof Error ? error.stack : error}`, { level: "error" });
    return new ServiceError("internal", "The service failed unexpectedly; its log has the details");
  }
  return app;
}

/** Nothing is theirs. */
const NO_ONE: Viewer = { subject: undefined, isAdmin: false };

/** Far more than the longest conversations have. */
const MAX_CONVERSATION_VALUES = 100_000;

/** Anthropic's clients send their key in a header of its own. */
const bearerOf = (key: string | undefined) => (key === undefined ? undefined : `Bearer ${key}`);

function respondWithError(error: ServiceError, route?: Route): Response {
  const body = route?.failure?.body(error) ?? error.body;
  return jsonResponse(body, statusOf(error.code), headersOf(error));
}

/** Called for allowed origins only, so every header they ask for is granted. */
function setCorsHeaders(c: AppContext, origin: string): void {
  const { outgoing } = c.env;
  outgoing.setHeader("access-control-allow-origin", origin);
  outgoing.setHeader(
    "access-control-expose-headers",
    "x-request-id, retry-after, idempotent-replayed, mcp-session-id, x-council-run, x-council-session, x-council-votes, x-council-decided, x-council-warnings",
  );
  outgoing.setHeader("vary", "origin");
  if (c.req.method !== "OPTIONS") return;
  outgoing.setHeader("access-control-allow-methods", "GET, POST, PUT, DELETE");
  outgoing.setHeader("access-control-allow-headers", c.req.header("access-control-request-headers") ?? "");
  outgoing.setHeader("access-control-max-age", "600");
}
