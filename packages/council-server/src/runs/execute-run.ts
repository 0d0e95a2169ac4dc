import { setImmediate } from "node:timers/promises";
import { type CouncilEvent, type CouncilRequest, type CouncilResult, runCouncil } from "@mci-ts/council";
import type { Config } from "../config/config.ts";
import type { Models } from "../providers/models.ts";
import { ServiceError } from "../service-error.ts";
import type { StartRecord } from "../store/records.ts";
import { startRunSpan } from "../telemetry/tracing.ts";
import { type AgentStep, executeStep } from "./agent-step.ts";
import { createCallRecorder } from "./calls/call-records.ts";
import { engineOptions } from "./engine-options.ts";
import { type LiveRun, type RunResponse, toRunEvent } from "./live/live-run.ts";
import { formatResult, type OutputFormat } from "./response/format-result.ts";
import { endRecord, failureResponse, successResponse } from "./response/run-response.ts";
import type { RunDependencies } from "./run-dependencies.ts";

/** Where a run came from, for the history. */
export interface RunSource {
  readonly channel: StartRecord["channel"];
  readonly idempotencyKey?: string;
  /** The fingerprint of the request, where there is a key. */
  readonly fingerprint?: string;
  /** Equal for runs whose responses a cache may exchange. */
  readonly cacheKey?: string;
  /** The form that the answer must have. Default: as the engine writes it. */
  readonly format?: OutputFormat;
  /** Whether the run fails without a decided answer. */
  readonly requireAnswer?: boolean;
  /** A step of an agent, which is decided instead of the request's prompt. */
  readonly step?: AgentStep;
  /** Whose run it is. */
  readonly subject?: string | undefined;
  /** What of the request changes nothing. Default: nothing. */
  readonly warnings?: readonly string[] | undefined;
}

/** Executes one run: calls the engine, records its events, forwards them to watchers, and ends with the response. */
export async function executeRun(
  live: LiveRun,
  request: CouncilRequest,
  { format, requireAnswer, warnings: unused = [], ...origin }: RunSource,
  deps: RunDependencies,
): Promise<void> {
  const { step, subject } = origin;
  const { models, store, metrics, statistics, subjectBudgets, log } = deps;
  const started = performance.now();
  const { id } = live;
  store.record(startRecord(id, request, origin));
  // What an agent was about to do can be found, whenever this process ends; the end of the run reports what cannot be written.
  const begun = step && store.commit(id).catch(() => undefined);
  const { span, spanContext } = startRunSpan(id, request.config?.model ?? models.names.voter);
  let response: RunResponse;
  let failure: unknown;
  try {
    const { engineRequest, warnings } = withoutNamedModel(request, models);
    const deadlineAt = started + deadlineOf(request, deps.config);
    const onEvent = (event: CouncilEvent) => {
      const message = toRunEvent(id, event);
      live.emit(message);
      metrics.recordEvent(event);
      const { seq, at, type } = event;
      store.record({ kind: "event", id, seq, at, type, data: JSON.stringify(message) });
    };
    const onCall = createCallRecorder({
      id,
      maxChars: deps.config.store.replyChars,
      redact: models.redact,
      record: store.record,
    });
    response = await subjectBudgets.withBudget(subject, async (subjectBudget) => {
      const { options, warnings: toolWarnings } = await engineOptions(deps, {
        ...{ deadlineAt, parent: spanContext, subjectBudget },
        onRefused: (budget) => live.cancel(budget === subjectBudget ? "subject_budget" : "daily_budget"),
      });
      const engine = { ...options, signal: live.signal, onEvent, onCall };
      await begun;
      const result = await (step ? executeStep(step, engine, deps) : runCouncil(engineRequest, engine));
      if (requireAnswer && result.metadata.answer === null) throw undecidedError(result);
      const finished = format
        ? await formatResult(request, result, format, {
            model: options.model,
            modelId:
              request.config?.judge_model ??
              request.config?.model ??
              models.names.judge ??
              models.names.voter,
            signal: AbortSignal.any([
              live.signal,
              AbortSignal.timeout(Math.max(1, Math.ceil(deadlineAt - performance.now()))),
            ]),
            price: models.price,
          })
        : result;
      return successResponse(id, finished, models.simulated, [...unused, ...warnings, ...toolWarnings]);
    });
  } catch (error) {
    failure = error;
    response = failureResponse(live, error);
    if ("error" in response.body && response.body.error.code === "internal")
      log(`run ${id}: ${error instanceof Error ? error.stack : error}`, { level: "error", run: id });
  }
  const status = deps.statusOf(response.body);
  const end = endRecord(live, response, status, failure);
  store.record(end);
  try {
    await store.commit(id);
  } catch (error) {
    // A success that no other instance will ever know of is none: the client may send the request again.
    response = failureResponse(live, notRecorded(error as Error));
  }
  // The response next; the rest waits until it is on its way to the client.
  live.end(response);
  await setImmediate();
  const seconds = (performance.now() - started) / 1000;
  try {
    statistics.record(end);
    metrics.recordRun(response, seconds);
    if (step) metrics.act.recordStep(step.session, response);
    span.setAttribute("http.response.status_code", status);
    span.end();
  } catch (error) {
    // The run has its response and its record: what only measures it changes neither.
    log(`run ${id}: telemetry failed: ${error instanceof Error ? error.stack : error}`, {
      level: "error",
      run: id,
    });
  }
}

/** The first record of a run. */
export function startRecord(
  id: string,
  request: CouncilRequest,
  { channel, idempotencyKey, fingerprint, cacheKey, step, subject }: RunSource,
): StartRecord {
  return {
    kind: "started",
    id,
    at: Date.now(),
    prompt: request.prompt,
    request: JSON.stringify(step ? { ...request, act: step.record } : request),
    channel,
    ...(step ? { session: step.session } : {}),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(cacheKey === undefined ? {} : { cacheKey }),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** The error of a response whose record was not written, and may never be. */
function notRecorded(cause: Error): ServiceError {
  return new ServiceError("not_recorded", `The run has ended, but could not be recorded: ${cause.message}`, {
    retryAfterSeconds: 5,
    cause,
  });
}

/** Where only an object will do, there is no other honest response. */
function undecidedError({ metadata: { warnings } }: CouncilResult): ServiceError {
  return new ServiceError(
    "no_valid_answer",
    `No answer of the schema was decided. ${warnings.join(" ")} The run's history has what was proposed.`,
  );
}

/** The run's own deadline, or the service's where that is sooner. */
function deadlineOf({ config }: CouncilRequest, { budget }: Config): number {
  return Math.min(config?.deadline_ms ?? Number.POSITIVE_INFINITY, budget.deadline_ms);
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
