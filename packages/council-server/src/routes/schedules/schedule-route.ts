import { type ScheduleView, scheduleNameSchema, type TaskSchedules } from "@mci-ts/council";
import { Schedule } from "../../api/schedule-schemas.ts";
import { parse } from "../../http/parse.ts";
import { type AppContext, defineRoute, failure, type Route } from "../../http/route.ts";
import type { CouncilService } from "../../service.ts";
import { ServiceError } from "../../service-error.ts";
import { taskFailures, withTasks } from "../tasks/task-route.ts";

export const scheduleFailures = {
  404: failure("The schedule does not exist."),
  503: taskFailures[503],
};

/** The name in the address. */
export function scheduleName(c: AppContext): string {
  return parse(scheduleNameSchema, c.req.param("name") ?? "", "name");
}

/** Works with a schedule that there is. Where no task was ever started, nothing is started to find that out. */
export async function withSchedule<T>(
  c: AppContext,
  service: CouncilService,
  work: (schedules: TaskSchedules, name: string) => Promise<T>,
): Promise<T> {
  const name = scheduleName(c);
  return withTasks(
    service,
    ({ schedules }) => work(schedules, name),
    () => {
      throw new ServiceError("not_found", `There is no schedule ${JSON.stringify(name)}`);
    },
  );
}

/** `POST /schedules/:name/<action>`: answers with the schedule as it is then. */
export function scheduleAction(action: "pause" | "resume", summary: string): Route {
  return defineRoute({
    method: "post",
    path: `/schedules/:name/${action}`,
    summary,
    responses: {
      200: { description: "The schedule.", content: { "application/json": Schedule } },
      400: failure("The name is invalid."),
      ...scheduleFailures,
    },
    handle: (c, service) =>
      withSchedule(c, service, async (schedules, name): Promise<Response> => {
        const schedule: ScheduleView = await schedules[action](name);
        return Response.json(schedule);
      }),
  });
}
