import { Schedule, ScheduleSpec } from "../../api/schedule-schemas.ts";
import { defineRoute, failure } from "../../http/route.ts";
import { toTaskError } from "../../tasks/task-service.ts";
import { taskFailures } from "../tasks/task-route.ts";
import { scheduleName } from "./schedule-route.ts";

/** Stores a schedule, and starts what tasks need. */
export const putSchedule = defineRoute({
  method: "put",
  path: "/schedules/:name",
  summary: "Start a task at the times of a cron expression; replaces a schedule of that name",
  body: ScheduleSpec,
  responses: {
    200: {
      description: "The schedule. One that was paused stays paused.",
      content: { "application/json": Schedule },
    },
    400: failure("The schedule, its name or its task is invalid; `details` names each field."),
    409: failure("There are too many schedules."),
    503: taskFailures[503],
  },
  async handle(c, service, body) {
    const name = scheduleName(c);
    try {
      return Response.json(await service.tasks.schedule(name, body));
    } catch (error) {
      throw toTaskError(error);
    }
  },
});
