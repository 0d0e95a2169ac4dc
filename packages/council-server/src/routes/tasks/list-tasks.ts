import { TASK_STATUSES } from "@mci-ts/council";
import { z } from "zod";
import { TaskFilter, TaskPage } from "../../api/task-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { taskFailures, withTasks } from "./task-route.ts";

const query = z.object({
  limit: wholeNumber(1, 100).default(20).describe("Tasks per page. Default 20."),
  cursor: z.string().max(100).optional().describe("`next_cursor` of the previous page."),
  name: TaskFilter.shape.name,
  status: z.enum(TASK_STATUSES).optional().describe("Only tasks with this status."),
  waiting: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: only tasks in which a step waits for a person's answer, whatever their status."),
});

export const listTasks = defineRoute({
  method: "get",
  path: "/tasks",
  summary: "List tasks, newest first",
  query,
  responses: {
    200: success("One page of tasks.", TaskPage),
    400: failure("The query is invalid."),
    503: taskFailures[503],
  },
  handle(c, service) {
    const { limit, cursor: after, status, name, ...more } = parse(query, c.req.query(), "query");
    const waiting = more.waiting === "true";
    return withTasks(
      service,
      async (tasks) => {
        // One more shows whether there is a next page.
        const found = await tasks.list({ limit: limit + 1, status, name, waiting, after });
        const page = found.slice(0, limit);
        return Response.json({
          tasks: page,
          next_cursor: found.length > limit ? page.at(-1)!.id : null,
        });
      },
      () => Response.json({ tasks: [], next_cursor: null }),
    );
  },
});
