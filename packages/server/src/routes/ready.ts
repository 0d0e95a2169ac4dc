import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Ready = z.strictObject({
  status: z.enum(["ready", "stopping"]),
  model: z.string().describe('"simulated" when no model provider is configured and none was found.'),
  simulated: z.boolean(),
  provider: z.string().describe("Where the models are."),
  history: z.strictObject({ status: z.enum(["ok", "failing"]), kept_in: z.enum(["memory", "disk"]) }),
});

const ready = {
  description: "Whether the service takes requests, and which model answers them.",
  content: { "application/json": Ready },
};

/** Whether the service takes requests. A failing history is shown but no reason to be taken out of service. */
export const readyz = defineRoute({
  method: "get",
  path: "/readyz",
  summary: "Whether the service takes requests, and which model answers them",
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
          kept_in: config.store.dir === undefined ? "memory" : "disk",
        },
      },
      { status: service.stopping ? 503 : 200 },
    );
  },
});
