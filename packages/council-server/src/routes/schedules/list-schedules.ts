import { SchedulePage } from "../../api/schedule-schemas.ts";
import { defineRoute } from "../../http/route.ts";
import { withTasks } from "../tasks/task-route.ts";
import { scheduleFailures } from "./schedule-route.ts";

export const listSchedules = defineRoute({
  method: "get",
  path: "/schedules",
  summary: "List schedules by name",
  responses: {
    200: { description: "All schedules.", content: { "application/json": SchedulePage } },
    503: scheduleFailures[503],
  },
  handle: (_, service) =>
    withTasks(
      service,
      async ({ schedules }) => Response.json({ schedules: await schedules.list() }),
      () => Response.json({ schedules: [] }),
    ),
});
