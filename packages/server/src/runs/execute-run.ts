import { setImmediate } from "node:timers/promises";
import { type CouncilRequest, type CouncilResult, runCouncil } from "@mci-ts/council";
import type { Config } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import type { Models } from "../providers/models.ts";
import type { Channel } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { ServiceMetrics } from "../telemetry/service-metrics.ts";
import { instrumentModel, startRunSpan } from "../telemetry/tracing.ts";
import type { SeatToolbox } from "../tools/seat-tools.ts";
import type { DailyBudget } from "./daily-budget.ts";
import { formatResult, type OutputFormat } from "./format-result.ts";
import { envelope, type LiveRun, type Outcome } from "./live-run.ts";
import { endRecord, failureOutcome, successOutcome } from "./outcome.ts";
import type { RunStatistics } from "./run-statistics.ts";

/** What all runs share. */
export interface RunDependencies {
  readonly config: Config;
  /** What seats and voters may call. */
  readonly seatTools?: SeatToolbox;
  readonly models: Models;
  readonly store: Store;
  readonly metrics: ServiceMetrics;
  readonly dailyBudget: DailyBudget;
  readonly statistics: RunStatistics;
  readonly log: (message: string) => void;
}

/** Where a run came from, for the history. */
export interface Origin {
  readonly channel: Channel;
  readonly idempotencyKey?: string;
  /** Of the request, where there is a key. */
  readonly fingerprint?: string;
  /** Equal for runs whose responses a cache may exchange. */
  readonly cacheKey?: string;
  /** The form that the answer must have. Default: as the engine writes it. */
  readonly format?: OutputFormat;
  /** Without a decided answer the run fails. */
  readonly requireAnswer?: boolean;
}

/** Executes one run: calls the engine, records its events, forwards them to watchers, and ends with the outcome. */
export async function executeRun(
  live: LiveRun,
  request: CouncilRequest,
  { format, requireAnswer, ...origin }: Origin,
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
  const { span, spanContext } = startRunSpan(id, request.config?.model ?? models.names.voter);
  let outcome: Outcome;
  let failure: unknown;
  try {
    const { engineRequest, warnings } = withoutNamedModel(request, models);
    const seat = models.simulated ? undefined : await deps.seatTools?.tools();
    const deadlineAt = started + deadlineOf(request, deps.config);
    const model = instrumentModel(models, metrics, deps.dailyBudget, {
      parent: spanContext,
      deadlineAt,
      onRefused: () => live.cancel("daily_budget"),
    });
    const result = await runCouncil(engineRequest, {
      ...engineOptions(deps.config),
      model: {
        ...model,
        contextWindow:
          deps.config.voting.contextWindow === undefined
            ? models.contextWindow
            : () => deps.config.voting.contextWindow,
      },
      models: models.names,
      ...(seat?.tools ? { tools: seat.tools } : {}),
      price: models.price,
      record: (model) => statistics.agreement(model),
      equivalences: statistics.equivalences,
      signal: live.signal,
      onEvent: (event) => {
        const message = envelope(id, event);
        live.emit(message);
        metrics.recordEvent(event);
        const { seq, at, type } = event;
        store.record({ kind: "event", id, seq, at, type, data: JSON.stringify(message) });
      },
    });
    if (requireAnswer && result.metadata.answer === null) throw undecided(result);
    const finished = format
      ? await formatResult(request, result, format, {
          model,
          modelId:
            request.config?.judge_model ?? request.config?.model ?? models.names.judge ?? models.names.voter,
          signal: AbortSignal.any([
            live.signal,
            AbortSignal.timeout(Math.max(1, Math.ceil(deadlineAt - performance.now()))),
          ]),
          price: models.price,
        })
      : result;
    outcome = successOutcome(id, finished, models.simulated, [...warnings, ...(seat?.warnings ?? [])]);
  } catch (error) {
    failure = error;
    outcome = failureOutcome(live, error);
    if (outcome.status === 500) log(`run ${id}: ${error instanceof Error ? error.stack : error}`);
  }
  const end = endRecord(live, outcome, failure);
  store.record(end);
  await store.commit();
  // The response next; the rest waits until it is on its way to the client.
  live.end(outcome);
  await setImmediate();
  const seconds = (performance.now() - started) / 1000;
  statistics.record(end);
  metrics.recordRun(outcome, seconds);
  span.setAttribute("http.response.status_code", outcome.status);
  span.end();
}

/** Where only an object will do, there is no other honest response. */
function undecided({ metadata: { warnings } }: CouncilResult): HttpError {
  return new HttpError(
    "no_valid_answer",
    `No answer of the schema was decided. ${warnings.join(" ")} The run's history has what was proposed.`,
  );
}

/** The run's own deadline, or the service's where that is sooner. */
function deadlineOf({ config }: CouncilRequest, { budget }: Config): number {
  return Math.min(config?.deadline_ms ?? Number.POSITIVE_INFINITY, budget.deadline_ms);
}

export function engineOptions({ budget, voting, presets }: Config) {
  const { k, maxSamples, maxOutputTokens, assistedRouting } = voting;
  return { budget, defaults: { k, maxSamples, maxOutputTokens }, presets, assistedRouting };
}

/** Every model that a request names, and where. */
export function modelsNamedIn({ config = {} }: CouncilRequest): readonly { path: string; model: string }[] {
  const { model, models = [], judge_model } = config;
  return [
    ...(model === undefined ? [] : [{ path: "config.model", model }]),
    ...models.map((one, i) => ({ path: `config.models[${i}]`, model: one })),
    ...(judge_model === undefined ? [] : [{ path: "config.judge_model", model: judge_model }]),
  ];
}

/** The simulated model replaces a named one, with a warning. */
function withoutNamedModel(
  request: CouncilRequest,
  models: Models,
): { engineRequest: CouncilRequest; warnings: string[] } {
  const named = modelsNamedIn(request);
  if (!models.simulated || named.length === 0) return { engineRequest: request, warnings: [] };
  const { model: _, models: __, judge_model: ___, ...config } = request.config ?? {};
  return {
    engineRequest: { ...request, config },
    warnings: named.map(
      ({ path, model }) =>
        `${path} "${model}" was not used: this service has no model provider, so answers are simulated`,
    ),
  };
}
