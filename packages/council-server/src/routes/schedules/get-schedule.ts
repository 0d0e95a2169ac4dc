import { Schedule } from "../../api/schedule-schemas.ts";
import { defineRoute, failure } from "../../http/route.ts";
import { scheduleFailures, withSchedule } from "./schedule-route.ts";

export const getSchedule = defineRoute({
  method: "get",
  path: "/schedules/:name",
  summary: "Get a schedule, with its last time and the task that it started last",
  responses: {
    200: { description: "The schedule.", content: { "application/json": Schedule } },
    400: failure("The name is invalid."),
    ...scheduleFailures,
  },
  handle: (c, service) =>
    withSchedule(c, service, async (schedules, name) => Response.json(await schedules.get(name))),
});
