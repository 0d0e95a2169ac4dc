import { DeletedSchedule } from "../../api/schedule-schemas.ts";
import { defineRoute, failure } from "../../http/route.ts";
import { scheduleFailures, withSchedule } from "./schedule-route.ts";

export const deleteSchedule = defineRoute({
  method: "delete",
  path: "/schedules/:name",
  summary: "Delete a schedule; tasks that it started stay",
  responses: {
    200: { description: "It is deleted.", content: { "application/json": DeletedSchedule } },
    400: failure("The name is invalid."),
    ...scheduleFailures,
  },
  handle: (c, service) =>
    withSchedule(c, service, async (schedules, name) => {
      await schedules.delete(name);
      return Response.json({ name, status: "deleted" });
    }),
});
