import { DeletedTask } from "../../api/task-schemas.ts";
import { defineRoute } from "../../http/route.ts";
import { taskFailures, withTasks } from "./task-route.ts";

export const deleteTask = defineRoute({
  method: "delete",
  path: "/tasks/:id",
  summary: "Delete a task that is over or paused, with its steps",
  responses: {
    200: { description: "It is gone.", content: { "application/json": DeletedTask } },
    ...taskFailures,
  },
  handle: (c, service) =>
    withTasks(service, async (tasks) => {
      const id = c.req.param("id") ?? "";
      await tasks.delete(id);
      return Response.json({ id, status: "deleted" });
    }),
});
