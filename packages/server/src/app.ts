import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { BodyReader } from "./http/body.ts";
import { HttpError } from "./http/errors.ts";
import { createGuard } from "./http/guard.ts";
import { createOpenApiDocument } from "./http/openapi.ts";
import { parse } from "./http/parse.ts";
import { RateLimit } from "./http/rate-limit.ts";
import { type AppContext, jsonResponse, type Route } from "./http/route.ts";
import { chat } from "./routes/chat.ts";
import { chatModels } from "./routes/chat-models.ts";
import { deleteRun } from "./routes/delete-run.ts";
import { healthz } from "./routes/health.ts";
import { home } from "./routes/home.ts";
import { mcp } from "./routes/mcp.ts";
import { metrics } from "./routes/metrics.ts";
import { model } from "./routes/model.ts";
import { openapi } from "./routes/openapi.ts";
import { readyz } from "./routes/ready.ts";
import { run } from "./routes/run.ts";
import { runEvents } from "./routes/run-events.ts";
import { runs } from "./routes/runs.ts";
import type { CouncilService } from "./service.ts";
import { VERSION } from "./version.ts";

export type App = Hono<{ Bindings: HttpBindings; Variables: { route: string } }>;

/**
 * request -guard-> host, origin, token, rate -read, check-> body -route-> Response
 *
 * Whatever is thrown on the way becomes one error shape here, and only here.
 */
export function createApp(service: CouncilService): App {
  const { http } = service.config;
  const guard = createGuard(http);
  const rate = new RateLimit(http.rateLimit);
  const bodies = new BodyReader(http.bodyLimit);
  const table: Route[] = [
    home,
    model,
    ...mcp(service),
    chat,
    chatModels,
    runs,
    run,
    runEvents,
    deleteRun,
    healthz,
    readyz,
    metrics,
  ];
  table.push(openapi(() => createOpenApiDocument(table, VERSION)));
  const app: App = new Hono();

  app.use(async (c, next) => {
    const host = c.req.header("host");
    guard.host(host);
    const origin = c.req.header("origin");
    // On the socket's own response: added to Hono's, they would turn its text into a stream and back.
    const { outgoing } = c.env;
    outgoing.setHeader("x-content-type-options", "nosniff");
    if (guard.origin(origin, host) && origin !== undefined) setCorsHeaders(c, origin);
    await next();
    service.metrics.recordRequest(c.req.method, c.get("route") ?? "none", c.res.status);
  });

  for (const route of table) {
    app.on(route.method.toUpperCase(), route.path, async (c) => {
      c.set("route", route.path);
      try {
        if (!route.public) {
          guard.token(c.req.header("authorization"));
          rate.take(c.env.incoming.socket.remoteAddress ?? "");
        }
        const body = route.body ? parse(route.body, await bodies.json(c)) : undefined;
        return await route.handle(c, service, body);
      } catch (error) {
        return errorResponse(toHttpError(error), route);
      }
    });
  }
  for (const path of new Set(table.map((route) => route.path))) {
    const methods = table.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    const headers = { allow: methods.join(", ") };
    app.all(path, (c) => {
      if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers });
      const message = `${path} takes ${methods.join(" and ")}, not ${c.req.method}`;
      throw new HttpError("method_not_allowed", message, { headers });
    });
  }
  app.notFound((c) =>
    errorResponse(new HttpError("not_found", `There is nothing at ${c.req.path}; see /openapi.json`)),
  );
  app.onError((error) => errorResponse(toHttpError(error)));

  function toHttpError(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    service.log(`unexpected: ${error instanceof Error ? error.stack : error}`);
    return new HttpError("internal", "The service failed unexpectedly; its log says why");
  }
  return app;
}

function errorResponse(error: HttpError, route?: Route): Response {
  return jsonResponse(route?.failure?.body(error) ?? error.body, error.status, error.headers);
}

/** Only for origins on the list, so they may send and read whatever they ask for. */
function setCorsHeaders(c: AppContext, origin: string): void {
  const { outgoing } = c.env;
  outgoing.setHeader("access-control-allow-origin", origin);
  outgoing.setHeader(
    "access-control-expose-headers",
    "x-request-id, retry-after, idempotent-replayed, mcp-session-id",
  );
  outgoing.setHeader("vary", "origin");
  if (c.req.method !== "OPTIONS") return;
  outgoing.setHeader("access-control-allow-methods", "GET, POST, DELETE");
  outgoing.setHeader("access-control-allow-headers", c.req.header("access-control-request-headers") ?? "");
  outgoing.setHeader("access-control-max-age", "600");
}
