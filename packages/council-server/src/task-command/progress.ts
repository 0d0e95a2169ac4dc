import { setTimeout as sleep } from "node:timers/promises";
import { isFinal, type TaskView } from "@mci-ts/council";

export interface ProgressOptions {
  readonly get: () => Promise<TaskView>;
  readonly print: (text: string) => void;
  /** A bar that is redrawn on a terminal, plain lines elsewhere, JSON lines for machines. */
  readonly form: "bar" | "lines" | "json";
  /** Ends the view, whatever the task does. */
  readonly stopped?: AbortSignal | undefined;
}

const POLL_MS = 500;
/** Between two plain lines of a task that goes on. */
const LINE_MS = 5000;

/** Shows a task until it is over, waits for a person, or the user has seen enough. */
export async function showProgress({ get, print, form, stopped }: ProgressOptions): Promise<TaskView> {
  let lastLine = "";
  let printedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const task = await get();
    const now = performance.now();
    const state = `${task.status} ${task.step}`;
    const due = form === "lines" ? now - printedAt >= LINE_MS : true;
    const rests = isFinal(task.status) || (task.status === "paused" && task.retry_at === undefined);
    if (state !== lastLine && (due || rests)) {
      if (form === "json") print(`${JSON.stringify(task)}\n`);
      else if (form === "bar") print(`\r\x1b[K${bar(task)}${describe(task)}${rests ? "\n" : ""}`);
      else print(`${describe(task)}\n`);
      lastLine = state;
      printedAt = now;
    }
    if (rests || stopped?.aborted) return task;
    await sleep(POLL_MS, undefined, stopped ? { signal: stopped } : {}).catch(() => undefined);
  }
}

function bar({ step, steps }: TaskView): string {
  if (steps === null) return "";
  const filled = Math.round((24 * Math.min(step, steps)) / steps);
  return `[${"#".repeat(filled)}${"-".repeat(24 - filled)}] `;
}

/** Steps, rate, cost, the end at this rate, and what was contested, in one line. */
export function describe(task: TaskView): string {
  const { kind, status, step, steps, rate, time_left_ms: left, usage, contested, error } = task;
  const most = kind === "plan" ? "" : "at most ";
  const cost = usage.cost_usd === null ? "cost unknown" : `$${usage.cost_usd.toFixed(4)}`;
  const parts = [
    `${status}  step ${step}${steps === null ? "" : ` of ${most}${steps}`}`,
    ...(rate > 0 ? [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`] : []),
    ...(left === null ? [] : [`${most}${duration(left / 1000)} left`]),
    `${usage.calls} calls`,
    cost,
    ...(contested > 0 ? [`${contested} contested`] : []),
    ...(task.instance === undefined ? [] : [runBy(task)]),
    ...(error ? [`${error.code}: ${error.message}`] : []),
    ...(task.retry_at === undefined ? [] : [`resumes by itself at ${task.retry_at}`]),
  ];
  return parts.join("  ");
}

function runBy({ instance, running_since: since }: TaskView): string {
  return since ? `on ${instance} since ${since}` : `on ${instance}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
