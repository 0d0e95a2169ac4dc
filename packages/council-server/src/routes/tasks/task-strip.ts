import { z } from "zod";
import { TaskStrip } from "../../api/task-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { taskFailures, withTasks } from "./task-route.ts";

const step = wholeNumber(1).optional();
const query = z.object({
  from: step.describe("The first step. Default 1."),
  to: step.describe("The last step. Default: the last that is decided."),
  parts: wholeNumber(1, 1000).default(200).describe("Parts at most. Default 200."),
});

export const taskStrip = defineRoute({
  method: "get",
  path: "/tasks/:id/strip",
  summary: "A task of steps in parts of equal length, with how many steps of each were contested",
  query,
  responses: {
    200: success("The parts; none of a plan.", TaskStrip),
    400: failure("The query is invalid."),
    404: taskFailures[404],
    503: taskFailures[503],
  },
  handle(c, service) {
    const range = parse(query, c.req.query(), "query");
    return withTasks(service, async (tasks) =>
      Response.json((await tasks.strip(c.req.param("id") ?? "", range)) satisfies TaskStrip),
    );
  },
});
