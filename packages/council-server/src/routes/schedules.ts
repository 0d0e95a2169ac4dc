import { type ScheduleView, scheduleNameSchema, type TaskSchedules } from "@mci-ts/council";
import { DeletedSchedule, Schedule, SchedulePage, ScheduleSpec } from "../api/schedule-schemas.ts";
import { Task } from "../api/task-schemas.ts";
import { parse } from "../http/parse.ts";
import { type AppContext, defineRoute, failure, type Route, success } from "../http/route.ts";
import type { CouncilService } from "../service.ts";
import { ServiceError } from "../service-error.ts";
import { toTaskError } from "../tasks/task-service.ts";
import { taskFailures, withTasks } from "./tasks/task-route.ts";

const scheduleFailures = {
  404: failure("The schedule does not exist."),
  503: taskFailures[503],
};

/** The name in the address. */
function scheduleName(c: AppContext): string {
  return parse(scheduleNameSchema, c.req.param("name") ?? "", "name");
}

/** Works with a schedule that there is. Where no task was ever started, nothing is started to find that out. */
async function withSchedule<T>(
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
function scheduleAction(action: "pause" | "resume", summary: string): Route {
  return defineRoute({
    method: "post",
    path: `/schedules/:name/${action}`,
    summary,
    responses: {
      200: success("The schedule.", Schedule),
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

const listSchedules = defineRoute({
  method: "get",
  path: "/schedules",
  summary: "List schedules by name",
  responses: {
    200: success("All schedules.", SchedulePage),
    503: scheduleFailures[503],
  },
  handle: (_, service) =>
    withTasks(
      service,
      async ({ schedules }) => Response.json({ schedules: await schedules.list() }),
      () => Response.json({ schedules: [] }),
    ),
});

/** Stores a schedule, and starts what tasks need. */
const putSchedule = defineRoute({
  method: "put",
  path: "/schedules/:name",
  summary: "Start a task at the times of a cron expression; replaces a schedule of that name",
  body: ScheduleSpec,
  responses: {
    200: success("The schedule. One that was paused stays paused.", Schedule),
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

const getSchedule = defineRoute({
  method: "get",
  path: "/schedules/:name",
  summary: "Get a schedule, with its last time and the task that it started last",
  responses: {
    200: success("The schedule.", Schedule),
    400: failure("The name is invalid."),
    ...scheduleFailures,
  },
  handle: (c, service) =>
    withSchedule(c, service, async (schedules, name) => Response.json(await schedules.get(name))),
});

/** Without waiting for the next of its times, as to try it out. */
const startSchedule = defineRoute({
  method: "post",
  path: "/schedules/:name/start",
  summary: "Start the task of a schedule now, whatever its times and `overlap` say",
  responses: {
    202: success("The task, which is stored and waits for its turn; Location names it.", Task),
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

const deleteSchedule = defineRoute({
  method: "delete",
  path: "/schedules/:name",
  summary: "Delete a schedule; tasks that it started stay",
  responses: {
    200: success("It is deleted.", DeletedSchedule),
    400: failure("The name is invalid."),
    ...scheduleFailures,
  },
  handle: (c, service) =>
    withSchedule(c, service, async (schedules, name) => {
      await schedules.delete(name);
      return Response.json({ name, status: "deleted" });
    }),
});

/** The endpoints of schedules of tasks. */
export const scheduleRoutes: readonly Route[] = [
  listSchedules,
  putSchedule,
  getSchedule,
  scheduleAction("pause", "Start no more tasks until it is resumed"),
  scheduleAction("resume", "Start tasks again, from the next of its times on"),
  startSchedule,
  deleteSchedule,
];
