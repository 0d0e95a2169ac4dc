import { z } from "zod";
import { TaskStepPage } from "../../api/task-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { taskFailures, withTasks } from "./task-route.ts";

const query = z.object({
  from: wholeNumber(1).default(1).describe("The first step. Default 1."),
  limit: wholeNumber(1, 1000).default(100).describe("Steps per page. Default 100."),
});

export const taskSteps = defineRoute({
  method: "get",
  path: "/tasks/:id/steps",
  summary: "The decided steps of a task, in order",
  query,
  responses: {
    200: success("One page of steps.", TaskStepPage),
    400: failure("The query is invalid."),
    404: taskFailures[404],
    503: taskFailures[503],
  },
  handle(c, service) {
    const { from, limit } = parse(query, c.req.query(), "query");
    return withTasks(service, async (tasks) => {
      const steps = await tasks.steps(c.req.param("id") ?? "", from, limit);
      return Response.json({ steps, next: steps.length === limit ? from + limit : null });
    });
  },
});
