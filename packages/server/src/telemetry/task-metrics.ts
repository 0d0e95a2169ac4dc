import type { TaskMetrics } from "@mci-ts/council";
import type { Metrics } from "./prometheus.ts";

/** Counts of long tasks. Gauges are asked for in the background: a page of metrics does not wait for the database. */
export interface TaskMeters extends TaskMetrics {
  /** Where the number of tasks by status comes from, once there are tasks. */
  observe(counts: () => Promise<Readonly<Record<string, number>>>): void;
}

const MAX_AGE_MS = 2000;

export function createTaskMeters(metrics: Metrics): TaskMeters {
  const steps = metrics.counter<"outcome">("council_task_steps_total", "Steps of tasks that were voted on.");
  const recoveries = metrics.counter(
    "council_task_recoveries_total",
    "Steps voted on again because the instance at work was gone.",
  );
  const retries = metrics.counter(
    "council_task_retries_total",
    "Steps voted on again because a person resumed a task that had stayed undecided.",
  );
  let source: (() => Promise<Readonly<Record<string, number>>>) | undefined;
  let counts: Readonly<Record<string, number>> = {};
  let readAt = 0;
  const count = (status: string) => () => {
    refresh();
    return counts[status] ?? 0;
  };
  metrics.observeValue(
    "gauge",
    "council_tasks_queued",
    "Tasks that wait for a free instance.",
    count("queued"),
  );
  metrics.observeValue("gauge", "council_tasks_running", "Tasks at work on any instance.", count("running"));
  metrics.observeValue("gauge", "council_tasks_paused", "Tasks that wait for a person.", count("paused"));
  return {
    onStep: (decided) => steps.add({ outcome: decided ? "decided" : "undecided" }),
    onRecovered: () => recoveries.add({}),
    onRetried: (steps) => retries.add({}, steps),
    observe(from) {
      source = from;
      refresh();
    },
  };

  function refresh(): void {
    const now = performance.now();
    if (source === undefined || now - readAt < MAX_AGE_MS) return;
    readAt = now;
    source().then(
      (found) => {
        counts = found;
      },
      () => {},
    );
  }
}
