import { Task } from "../../api/task-schemas.ts";
import { defineRoute } from "../../http/route.ts";
import { taskFailures, withTasks } from "./task-route.ts";

export const getTask = defineRoute({
  method: "get",
  path: "/tasks/:id",
  summary: "How far a task is: its state, rate and cost",
  responses: {
    200: { description: "The task.", content: { "application/json": Task } },
    404: taskFailures[404],
    503: taskFailures[503],
  },
  handle: (c, service) =>
    withTasks(service, async (tasks) => Response.json(await tasks.get(c.req.param("id") ?? ""))),
});
