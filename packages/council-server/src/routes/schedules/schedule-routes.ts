import type { Route } from "../../http/route.ts";
import { deleteSchedule } from "./delete-schedule.ts";
import { getSchedule } from "./get-schedule.ts";
import { listSchedules } from "./list-schedules.ts";
import { putSchedule } from "./put-schedule.ts";
import { scheduleAction } from "./schedule-route.ts";
import { startSchedule } from "./start-schedule.ts";

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
