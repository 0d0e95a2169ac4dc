import { TASK_STATUSES, taskScheduleSchema } from "@mci-ts/council";
import { z } from "zod";
import type { ApiType } from "./api-type.ts";
import { TaskSpec } from "./task-schemas.ts";

/** Schemas of schedules; `/openapi.json` is generated from them. */

export const ScheduleSpec = taskScheduleSchema
  .extend({
    task: TaskSpec.describe("The task that is started, checked when the schedule is stored."),
  })
  .meta({ id: "ScheduleSpec" });

export const Schedule = z
  .looseObject({
    name: z.string(),
    status: z.enum(["active", "paused"]),
    cron: z.string(),
    timezone: z.string(),
    overlap: z.enum(["skip", "allow"]),
    catch_up: z.boolean(),
    last_time: z.iso.datetime().nullable().describe("The last of its times; null: there was none yet."),
    last_task: z
      .looseObject({ id: z.string(), status: z.enum(TASK_STATUSES) })
      .nullable()
      .describe("The newest task that it started and that was not deleted."),
    task: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Schedule" });
export type Schedule = ApiType<typeof Schedule>;

export const SchedulePage = z.strictObject({ schedules: z.array(Schedule) }).meta({ id: "SchedulePage" });

export const DeletedSchedule = z
  .strictObject({ name: z.string(), status: z.literal("deleted") })
  .meta({ id: "DeletedSchedule" });
