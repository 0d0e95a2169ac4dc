import { Task } from "../../api/task-schemas.ts";
import { defineRoute, failure } from "../../http/route.ts";
import { withTasks } from "../tasks/task-route.ts";
import { scheduleFailures, withSchedule } from "./schedule-route.ts";

/** Without waiting for the next of its times, as to try it out. */
export const startSchedule = defineRoute({
  method: "post",
  path: "/schedules/:name/start",
  summary: "Start the task of a schedule now, whatever its times and `overlap` say",
  responses: {
    202: {
      description: "The task, which is stored and waits for its turn; Location names it.",
      content: { "application/json": Task },
    },
    400: failure("The name is invalid, or the task no longer is valid."),
    ...scheduleFailures,
  },
  handle: async (c, service) => {
    const id = await withSchedule(c, service, (schedules, name) => schedules.start(name));
    return withTasks(service, async (tasks) =>
      Response.json(await tasks.get(id), { status: 202, headers: { location: `/tasks/${id}` } }),
    );
  },
});
