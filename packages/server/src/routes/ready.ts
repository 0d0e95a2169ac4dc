import { createTokenCheck } from "@mci-ts/http-guard";
import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Ready = z.strictObject({
  status: z.enum(["ready", "stopping"]),
  model: z.string().describe('"simulated" when no model provider is configured and none was found.'),
  simulated: z.boolean(),
  provider: z
    .string()
    .optional()
    .describe("Provider and endpoint of the models. Only with the token: internal addresses are not public."),
  history: z.strictObject({
    status: z.enum(["ok", "failing"]),
    storage: z.enum(["memory", "disk", "postgres"]),
  }),
});

const ready = {
  description: "Whether the service accepts requests, and which model it uses.",
  content: { "application/json": Ready },
};

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
      },
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
