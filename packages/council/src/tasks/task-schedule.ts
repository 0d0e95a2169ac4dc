import { z } from "zod";
import type { TaskStatus } from "./task-status.ts";

/** Five fields; numbers of at most two digits, so that no range of them is long. */
const CRON = /^(?!.*\d{3})(?!.*\/0*(?!\d))[\dA-Za-z*,/#-]+( +[\dA-Za-z*,/#-]+){4}$/;

/** When a task is started, again and again. Which task is checked as every other (`check-task.ts`). */
export const taskScheduleSchema = z.strictObject({
  cron: z
    .string()
    .trim()
    .max(100)
    .regex(CRON, "must be five fields: minute, hour, day of month, month, day of week; such as 0 3 * * 1-5")
    .describe("Minute, hour, day of month, month and day of week: `0 3 * * 1-5` is at 3:00 on working days."),
  timezone: z
    .string()
    .max(100)
    .refine(isTimezone, "must be an IANA time zone, such as Europe/Zurich")
    .default("UTC")
    .describe("An IANA time zone, in which `cron` is meant. Default UTC."),
  overlap: z
    .enum(["skip", "allow"])
    .default("skip")
    .describe(
      "While the task that it started before is not over: `skip` starts none, `allow` another one. Default skip.",
    ),
  catch_up: z
    .boolean()
    .default(false)
    .describe("Start what was missed while no instance ran, one task for each time. Default false."),
  task: z
    .record(z.string(), z.unknown())
    .describe("The task that is started, as in POST /tasks; it is checked when the schedule is stored."),
});
export type TaskSchedule = z.infer<typeof taskScheduleSchema>;

/** A name is a part of addresses and ids. */
export const scheduleNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    "must be up to 100 letters, digits, dots, hyphens and underscores",
  );

/** A schedule as its users see it. */
export interface ScheduleView extends Readonly<TaskSchedule> {
  readonly name: string;
  readonly status: "active" | "paused";
  /** The time of the last start, as `cron` has it; null: there was none. */
  readonly last_time: string | null;
  /** The newest task that it started and that was not deleted. */
  readonly last_task: { readonly id: string; readonly status: TaskStatus } | null;
}

/** Schedules of tasks. Every instance watches the clock; each time starts one task, however many instances there are. */
export interface TaskSchedules {
  /** Creates or replaces it. A paused one stays paused. */
  put(name: string, schedule: TaskSchedule): Promise<ScheduleView>;
  get(name: string): Promise<ScheduleView>;
  /** By name. */
  list(): Promise<ScheduleView[]>;
  pause(name: string): Promise<ScheduleView>;
  resume(name: string): Promise<ScheduleView>;
  /** Starts its task now, whatever `cron` and `overlap` say; returns the id of the task. */
  start(name: string): Promise<string>;
  /** Tasks that it started stay. */
  delete(name: string): Promise<void>;
}

function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}
