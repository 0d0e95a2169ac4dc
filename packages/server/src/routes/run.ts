import { Run } from "../http/api-schemas.ts";
import { findRun } from "../http/history.ts";
import { defineRoute, failure } from "../http/route.ts";

/** One run: its request, samples, votes and response. */
export const run = defineRoute({
  method: "get",
  path: "/runs/:id",
  summary: "Show one run with its samples and votes",
  responses: {
    200: { description: "The run.", content: { "application/json": Run } },
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    return Response.json(await findRun(service.store, c.req.param("id") ?? ""));
  },
});
