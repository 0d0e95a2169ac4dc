import { setImmediate } from "node:timers/promises";
import { type CouncilRequest, runCouncil } from "@mci-ts/council";
import type { Config } from "../config/config.ts";
import type { Models } from "../providers/models.ts";
import type { Channel } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { ServiceMetrics } from "../telemetry/service-metrics.ts";
import { instrumentModel, startRunSpan } from "../telemetry/tracing.ts";
import type { DailyBudget } from "./daily-budget.ts";
import { envelope, type LiveRun, type Outcome } from "./live-run.ts";
import { endRecord, failureOutcome, successOutcome } from "./outcome.ts";
import type { RunStatistics } from "./run-statistics.ts";

/** What every run shares. */
export interface RunDependencies {
  readonly config: Config;
  readonly models: Models;
  readonly store: Store;
  readonly metrics: ServiceMetrics;
  readonly dailyBudget: DailyBudget;
  readonly statistics: RunStatistics;
  readonly log: (message: string) => void;
}

/** Where a run came from, for the history. */
export interface Origin {
  readonly front: Channel;
  readonly idempotencyKey?: string;
  /** Of the request, where there is a key. */
  readonly fingerprint?: string;
}

/** One run from its first record to its last: the engine in the middle, everything it does written down and passed on. */
export async function executeRun(
  live: LiveRun,
  request: CouncilRequest,
  origin: Origin,
  deps: RunDependencies,
): Promise<void> {
  const { models, store, metrics, statistics, log } = deps;
  const started = performance.now();
  const { id } = live;
  store.record({
    kind: "started",
    id,
    at: Date.now(),
    prompt: request.prompt,
    request: JSON.stringify(request),
    ...origin,
  });
  const { span, inside } = startRunSpan(id, request.config?.model ?? models.names.voter);
  let outcome: Outcome;
  let failure: unknown;
  try {
    const { asked, warnings } = withoutNamedModel(request, models);
    const result = await runCouncil(asked, {
      ...engineOptions(deps.config),
      model: instrumentModel(models, metrics, deps.dailyBudget, {
        parent: inside,
        onRefused: () => live.cancel("daily_budget"),
      }),
      models: models.names,
      price: models.price,
      record: (model) => statistics.agreement(model),
      equivalences: statistics.equivalences,
      signal: live.signal,
      onEvent: (event) => {
        const sent = envelope(id, event);
        live.emit(sent);
        metrics.recordEvent(event);
        const { seq, at, type } = event;
        store.record({ kind: "event", id, seq, at, type, data: JSON.stringify(sent) });
      },
    });
    outcome = successOutcome(id, result, models.simulated, warnings);
  } catch (error) {
    failure = error;
    outcome = failureOutcome(live, error);
    if (outcome.status === 500) log(`run ${id}: ${error instanceof Error ? error.stack : error}`);
  }
  // The answer first; bookkeeping waits until it is on its way to the client.
  live.end(outcome);
  await setImmediate();
  const seconds = (performance.now() - started) / 1000;
  // The record before all else: a span goes to whoever listens, and they may fail.
  const end = endRecord(live, outcome, failure);
  store.record(end);
  statistics.record(end);
  metrics.recordRun(outcome, seconds);
  span.setAttribute("http.response.status_code", outcome.status);
  span.end();
}

function engineOptions({ budget, voting }: Config) {
  const { k, maxSamples, maxOutputTokens, assistedRouting } = voting;
  return { budget, defaults: { k, maxSamples, maxOutputTokens }, assistedRouting };
}

/** The simulated model cannot stand in for a named one without saying so. */
function withoutNamedModel(
  request: CouncilRequest,
  models: Models,
): { asked: CouncilRequest; warnings: string[] } {
  const model = request.config?.model;
  if (!models.simulated || model === undefined) return { asked: request, warnings: [] };
  const { model: _, ...config } = request.config ?? {};
  const warning = `config.model "${model}" was not asked: this service has no model provider and answers are simulated`;
  return { asked: { ...request, config }, warnings: [warning] };
}
