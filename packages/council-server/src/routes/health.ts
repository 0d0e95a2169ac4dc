import { createTokenCheck } from "@mci-ts/http-guard";
import { z } from "zod";
import { Readiness } from "../api/api-schemas.ts";
import { defineRoute, success } from "../http/route.ts";

const Alive = z.strictObject({ status: z.literal("ok") });

/** Liveness: the process responds. */
export const healthz = defineRoute({
  method: "get",
  path: "/healthz",
  summary: "Liveness check",
  public: true,
  responses: { 200: success("The process is alive.", Alive) },
  handle: () => Response.json({ status: "ok" }),
});

const ready = success("Whether the service accepts requests, and which model it uses.", Readiness);

/** Readiness. A failing history is reported but does not make the service unready. */
export const readyz = defineRoute({
  method: "get",
  path: "/readyz",
  summary: "Readiness, and which model is used",
  public: true,
  responses: { 200: ready, 503: ready },
  handle(c, service) {
    const { models, store, config } = service;
    return Response.json(
      {
        status: service.stopping ? "stopping" : "ready",
        model: models.names.voter,
        simulated: models.simulated,
        ...(hasToken(c.req.header("authorization"), config.http.token)
          ? { provider: models.description }
          : {}),
        history: {
          status: store.stats.ok ? "ok" : "failing",
          storage: config.store.databaseUrl ? "postgres" : config.store.dir === undefined ? "memory" : "disk",
        },
      } satisfies Readiness,
      { status: service.stopping ? 503 : 200 },
    );
  },
});

function hasToken(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return false;
  try {
    createTokenCheck(token, { realm: "council" })(authorization);
    return true;
  } catch {
    return false;
  }
}
