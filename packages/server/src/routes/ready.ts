import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Ready = z.strictObject({
  status: z.enum(["ready", "stopping"]),
  model: z.string().describe('"simulated" when no model provider is configured and none was found.'),
  simulated: z.boolean(),
  provider: z.string().describe("Provider and endpoint of the models."),
  history: z.strictObject({ status: z.enum(["ok", "failing"]), storage: z.enum(["memory", "disk"]) }),
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
  handle(_, service) {
    const { models, store, config } = service;
    return Response.json(
      {
        status: service.stopping ? "stopping" : "ready",
        model: models.names.voter,
        simulated: models.simulated,
        provider: models.description,
        history: {
          status: store.stats.ok ? "ok" : "failing",
          storage: config.store.dir === undefined ? "memory" : "disk",
        },
      },
      { status: service.stopping ? 503 : 200 },
    );
  },
});
