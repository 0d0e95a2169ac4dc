import type { CouncilEvent, ModelReply, Purpose } from "@mci-ts/council";
import type { Models } from "../providers/models.ts";
import type { ConcurrencyLimiter } from "../runs/live/concurrency-limiter.ts";
import type { RunResponse } from "../runs/live/live-run.ts";
import type { Store } from "../store/store.ts";
import { type ActMeters, createActMeters } from "./act-metrics.ts";
import { Metrics } from "./prometheus.ts";
import { createTaskMeters, type TaskMeters } from "./task-metrics.ts";

type CallOutcome = "succeeded" | "failed" | "aborted";

/** The service's metrics. Label values come from short lists, so callers cannot inflate their number. */
export interface ServiceMetrics {
  recordCall(model: string, purpose: Purpose, outcome: CallOutcome, reply?: ModelReply): void;
  recordEvent(event: CouncilEvent): void;
  recordRun(response: RunResponse, seconds: number): void;
  recordRequest(method: string, route: string, status: number): void;
  readonly tasks: TaskMeters;
  readonly act: ActMeters;
  /** Where the number of webhooks of runs that this instance has still to deliver comes from. */
  observeWebhooks(pending: () => number): void;
  render(): Promise<string>;
}

const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Distinct model labels; further models become "other", because callers choose the model. */
const MAX_MODEL_LABELS = 50;

export function createServiceMetrics(
  limiter: ConcurrencyLimiter,
  store: Store,
  { callLimits }: Pick<Models, "callLimits">,
): ServiceMetrics {
  const metrics = new Metrics();
  const requests = metrics.counter<"method" | "route" | "status">(
    "council_http_requests_total",
    "HTTP requests.",
  );
  const runs = metrics.counter<"tool" | "status">("council_runs_total", "Finished runs by tool and status.");
  const duration = metrics.histogram<"tool">(
    "council_run_seconds",
    "Duration of runs in seconds.",
    DURATION_BUCKETS,
  );
  const calls = metrics.counter<"model" | "purpose" | "outcome">(
    "council_model_calls_total",
    "Model calls by model, purpose and outcome.",
  );
  const latency = metrics.histogram<"model">(
    "council_model_call_seconds",
    "Duration of successful model calls in seconds.",
    DURATION_BUCKETS,
  );
  const tokens = metrics.counter<"model" | "direction">("council_tokens_total", "Tokens used.");
  const flags = metrics.counter<"rule">("council_red_flags_total", "Replies discarded by a red flag.");
  const retries = metrics.total("council_transport_retries_total", "Retries after transport errors.");
  const votes = metrics.total("council_votes_total", "Votes counted.");
  const cost = metrics.counter<"tool">(
    "council_cost_usd_total",
    "Cost of finished runs in US dollars, where it is known.",
  );
  const unpriced = metrics.counter<"tool">("council_unpriced_runs_total", "Finished runs of unknown cost.");
  const toolCalls = metrics.counter<"tool" | "outcome">(
    "council_tool_calls_total",
    "Calls of tools by seats and voters.",
  );
  metrics.observeValue("gauge", "council_runs_active", "Runs in flight.", () => limiter.active);
  metrics.observeValue("gauge", "council_runs_queued", "Runs waiting in the queue.", () => limiter.queued);
  metrics.observeValues(
    "gauge",
    "council_provider_call_limit",
    "Calls that may be in flight to a model provider: lower after it refused some.",
    "provider",
    callLimits,
  );
  metrics.observeValue("gauge", "council_history_up", "1 while the history can be written.", () =>
    store.stats.ok ? 1 : 0,
  );
  metrics.observeValue(
    "gauge",
    "council_history_queued",
    "Records waiting to be written.",
    () => store.stats.queued,
  );
  metrics.observeValue(
    "counter",
    "council_history_failures_total",
    "Batches of records whose first write failed.",
    () => store.stats.failures,
  );
  metrics.observeValue(
    "counter",
    "council_history_dropped_total",
    "Records dropped.",
    () => store.stats.dropped,
  );
  metrics.observeValue("gauge", "process_resident_memory_bytes", "Resident memory.", () =>
    process.memoryUsage.rss(),
  );

  const act = createActMeters(metrics);
  const labels = new Set<string>();
  const modelLabel = (model: string) => {
    if (labels.size < MAX_MODEL_LABELS) labels.add(model);
    return labels.has(model) ? model : "other";
  };
  return {
    recordCall(model, purpose, outcome, reply) {
      const label = modelLabel(model);
      calls.add({ model: label, purpose, outcome });
      if (!reply) return;
      latency.observe({ model: label }, reply.latencyMs / 1000);
      tokens.add({ model: label, direction: "input" }, reply.usage.inputTokens);
      tokens.add({ model: label, direction: "output" }, reply.usage.outputTokens);
    },
    recordEvent(event) {
      act.recordEvent(event);
      if (event.type === "sample.flagged") flags.add({ rule: event.rule });
      if (event.type === "call.retried") retries.add({});
      if (event.type === "vote.counted") votes.add({});
      // Only tools of the operator's file are called, so their names are few.
      if (event.type === "tool.finished")
        toolCalls.add({ tool: event.tool, outcome: event.is_error ? "failed" : "succeeded" });
    },
    recordRun({ body }, seconds) {
      const tool = "metadata" in body ? body.metadata.tool_used : "none";
      const status = "metadata" in body ? body.metadata.status : body.error.code;
      runs.add({ tool, status });
      duration.observe({ tool }, seconds);
      if (!("metadata" in body)) return;
      const { cost_usd } = body.metadata.usage;
      if (cost_usd === null) unpriced.add({ tool });
      else cost.add({ tool }, cost_usd);
    },
    recordRequest: (method, route, status) => requests.add({ method, route, status: String(status) }),
    act,
    tasks: createTaskMeters(metrics, store.shared?.stats),
    observeWebhooks: (pending) =>
      metrics.observeValue(
        "gauge",
        "council_webhooks_pending",
        "Webhooks of runs that this instance delivers, or will when the run ends.",
        pending,
      ),
    render: () => metrics.render(),
  };
}
