import { defineRoute } from "../http/route.ts";

/** Metrics for Prometheus. */
export const metrics = defineRoute({
  method: "get",
  path: "/metrics",
  summary: "Metrics for Prometheus",
  admin: true,
  responses: { 200: { description: "Prometheus text format.", content: { "text/plain": undefined } } },
  handle: async (_, service) =>
    new Response(await service.metrics.render(), {
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    }),
});
