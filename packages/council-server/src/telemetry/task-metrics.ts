import type { InstanceStats, TaskCounts, TaskInstance, TaskMetrics } from "@mci-ts/council";
import { withTimeout } from "@mci-ts/http-guard";
import type { Metrics } from "./prometheus.ts";

/** Counts of long tasks. Gauges are those of the moment; while the database cannot be asked, a scrape has none of them. */
export interface TaskMeters extends TaskMetrics {
  /** Where the number of tasks by status comes from, once there are tasks. */
  observe(tasks: Pick<TaskInstance, "counts" | "stats">): void;
}

/** Several scrapers, and all gauges of a page, share one look at the database. */
const MAX_AGE_MS = 1000;
/** A page of metrics waits this long at most: its other values do not depend on the database. */
const MAX_WAIT_MS = 2000;

export function createTaskMeters(metrics: Metrics, history?: InstanceStats): TaskMeters {
  const steps = metrics.counter<"outcome">("council_task_steps_total", "Steps of tasks that were voted on.");
  const recoveries = metrics.total(
    "council_task_recoveries_total",
    "Steps voted on again because the instance at work was gone.",
  );
  const retries = metrics.total(
    "council_task_retries_total",
    "Steps voted on again because a person resumed the task, or it resumed after an outage of its provider.",
  );
  let source: Pick<TaskInstance, "counts" | "stats"> | undefined;
  let counts: TaskCounts | undefined = {};
  let readAt = 0;
  const count = (status: keyof TaskCounts) => () => counts && (counts[status] ?? 0);
  metrics.beforeScrape(refresh);
  metrics.observeValue(
    "gauge",
    "council_tasks_queued",
    "Tasks that wait for a free instance.",
    count("queued"),
  );
  metrics.observeValue("gauge", "council_tasks_running", "Tasks at work on any instance.", count("running"));
  metrics.observeValue(
    "gauge",
    "council_tasks_stalled",
    "Running tasks that have recorded nothing for longer than one of their steps may take.",
    count("stalled"),
  );
  metrics.observeValue("gauge", "council_tasks_paused", "Tasks that wait for a person.", count("paused"));
  metrics.observeValue(
    "gauge",
    "council_task_idle_seconds",
    "The longest time since a running task recorded a step.",
    count("idleSeconds"),
  );
  metrics.observeValue(
    "gauge",
    "council_task_queue_age_seconds",
    "The longest wait of a task in the queue.",
    count("queuedSeconds"),
  );
  metrics.observeValue(
    "gauge",
    "council_task_webhooks_pending",
    "Ends of tasks that their receivers have not been told of yet.",
    count("webhooks"),
  );
  const takeovers = metrics.total(
    "council_task_takeovers_total",
    "Tasks of an instance that is gone, which this instance gave to others.",
  );
  /** Runs and tasks have a lease and connections of their own. */
  const parts = (value: keyof InstanceStats) => () =>
    new Map([
      ...(history ? [["history", history[value]] as const] : []),
      ...(source ? [["tasks", source.stats[value]] as const] : []),
    ]);
  metrics.observeValues(
    "counter",
    "council_instances_lost_total",
    "Leases of other instances that had expired, by the lease of this one that noticed it.",
    "part",
    parts("declaredDead"),
  );
  metrics.observeValues(
    "gauge",
    "council_database_waiting",
    "Statements that wait for a free connection to the database.",
    "part",
    parts("poolWaiting"),
  );
  return {
    onTakenOver: (tasks) => takeovers.add({}, tasks),
    onStep: (decided) => steps.add({ outcome: decided ? "decided" : "undecided" }),
    onRecovered: () => recoveries.add({}),
    onRetried: (steps) => retries.add({}, steps),
    observe(from) {
      source = from;
    },
  };

  async function refresh(): Promise<void> {
    if (source === undefined || performance.now() - readAt < MAX_AGE_MS) return;
    const pending = source.counts().catch(() => undefined);
    counts = await withTimeout(MAX_WAIT_MS, pending, () => undefined);
    if (counts !== undefined) readAt = performance.now();
  }
}
