import { randomUUID } from "node:crypto";
import type { CouncilRequest, Log } from "@mci-ts/council";
import { StreamLimiter } from "@mci-ts/http-guard";
import type { RunSummary } from "./api/run-schemas.ts";
import { DailyBudget } from "./budget/daily-budget.ts";
import { restoreDailyBudget } from "./budget/restore-daily-budget.ts";
import { SessionBudgets } from "./budget/session-budgets.ts";
import { SubjectBudgets } from "./budget/subject-budgets.ts";
import { type Config, ConfigError } from "./config/config.ts";
import { ConsoleTools } from "./http/console/tools-page.ts";
import { responseStatus } from "./http/run-status.ts";
import type { Models } from "./providers/models.ts";
import type { AgentStep } from "./runs/agent-step.ts";
import { executeRun, modelsNamedIn, type RunSource, startRecord } from "./runs/execute-run.ts";
import { fingerprint, IdempotencyCache } from "./runs/idempotency.ts";
import { ConcurrencyLimiter } from "./runs/live/concurrency-limiter.ts";
import { type CancelReason, LiveRun } from "./runs/live/live-run.ts";
import { followRemoteRun } from "./runs/live/remote-run.ts";
import { RunFeed } from "./runs/live/run-feed.ts";
import type { OutputFormat } from "./runs/response/format-result.ts";
import { cacheKeyOf, fromCache } from "./runs/response/response-cache.ts";
import { endRecord, failureResponse, toServiceError } from "./runs/response/run-response.ts";
import type { RunDependencies } from "./runs/run-dependencies.ts";
import { RunStatistics } from "./runs/run-statistics.ts";
import type { Submission } from "./runs/submission.ts";
import { Webhooks } from "./runs/webhooks/webhooks.ts";
import { ServiceError, shuttingDown } from "./service-error.ts";
import { readAtStart } from "./store/read-at-start.ts";
import type { Store } from "./store/store.ts";
import { createTaskService, type TaskService } from "./tasks/task-service.ts";
import { createServiceMetrics, type ServiceMetrics } from "./telemetry/service-metrics.ts";
import { openSeatTools } from "./tools/seat-tools.ts";

interface SubmitOptions {
  readonly channel: RunSummary["channel"];
  /** Aborts when the waiting client disconnects; the run is then cancelled. Without it the run goes on by itself. */
  readonly client?: AbortSignal;
  /** The network that the request comes from: what one may queue is bounded. Default: not known. */
  readonly caller?: string;
  readonly idempotencyKey?: string;
  /** The form that the answer must have. Default: as the engine writes it. */
  readonly format?: OutputFormat;
  /** Without a decided answer the run fails: the protocol has no other way to say so. Default false. */
  readonly requireAnswer?: boolean;
  /** Gets the response when the run ends. */
  readonly webhook?: string;
  /** A step of an agent, which is decided instead of the prompt. */
  readonly step?: AgentStep;
  /** Age up to which a response of the history may be used instead of a new run. Default: none is. */
  readonly cacheMaxAgeMs?: number;
  /** Whose run it is, behind an issuer. Default: the service's own. */
  readonly subject?: string;
  /** What of the request changes nothing, in sentences for its response. Default: nothing. */
  readonly warnings?: readonly string[];
}

/** The council with models, history, limits and metrics: what HTTP, MCP and chat completions all call. */
export interface CouncilService {
  readonly config: Config;
  readonly models: Models;
  readonly store: Store;
  readonly statistics: RunStatistics;
  readonly runFeed: Pick<RunFeed, "follow">;
  readonly metrics: ServiceMetrics;
  readonly log: Log;
  /** Open event streams, in total and per client. */
  readonly streams: StreamLimiter;
  /** Starts a run, or joins the one in flight with the same key. */
  submit(request: CouncilRequest, options: SubmitOptions): Promise<Submission>;
  live(id: string): LiveRun | undefined;
  /** The name of an agent's session, different for each subject. */
  scopeSession(session: string): string;
  /** The tools of MCI_TOOLS that change nothing. */
  readonly readOnlyTools: readonly string[];
  /** Long tasks. Nothing of them is loaded before the first. */
  readonly tasks: TaskService;
  /** The tools that the console shows; undefined without MCI_TOOLS. */
  readonly tools?: ConsoleTools;
  readonly stopping: boolean;
  /** Stops accepting runs, waits up to `graceMs` for those in flight, then cancels them. */
  close(graceMs?: number): Promise<void>;
}

/**
 * CouncilRequest -budget, key-> LiveRun -limiter-> executeRun (engine, history, metrics) -> RunResponse
 */
export async function createService(
  config: Config,
  models: Models,
  store: Store,
  { log, instance }: Pick<RunDependencies, "log" | "instance">,
): Promise<CouncilService> {
  const { maxConcurrent, maxQueued, queueWaitMs } = config.http;
  const limiter = new ConcurrencyLimiter({ maxConcurrent, maxQueued, maxWaitMs: queueWaitMs });
  const metrics = createServiceMetrics(limiter, store, models);
  const { shared } = store;
  const keys = new IdempotencyCache(store, (id) => {
    const live = followRemoteRun(store, shared!, id);
    return { id, response: live.response, live, remote: true };
  });
  const running = new Map<string, LiveRun>();
  /** Runs until their last record is queued, a moment after the response. */
  const inFlight = new Set<Promise<void>>();
  const cancelAll = (reason: CancelReason, subject?: string) => {
    for (const live of running.values())
      if (subject === undefined || live.subject === subject) live.cancel(reason);
  };
  shared?.onCancelRequest((id) => running.get(id)?.cancel("deleted"));
  const dailyBudget = new DailyBudget(config.dailyBudget, {
    onExhausted: () => cancelAll("daily_budget"),
    ...(shared ? { shared } : {}),
  });
  await restoreDailyBudget(dailyBudget, store, models.price);
  const subjectBudgets = new SubjectBudgets(config.subjectBudget, {
    store,
    price: models.price,
    onExhausted: (subject) => cancelAll("subject_budget", subject),
  });
  requireServedPresets(config, models);
  const [agreements, outcomes, selfTests] = await readAtStart(
    () => Promise.all([store.agreements(), store.measurements("outcome"), store.measurements("self_test")]),
    { waitMs: shared ? config.store.databaseWaitMs : 0, log },
  );
  const statistics = new RunStatistics(agreements, {
    ...{ outcomes, selfTests },
    measuredElsewhere: config.voting.outcomes,
    save: (record) => store.record(record),
  });
  const seatTools = config.seatTools && (await openSeatTools(config.seatTools));
  const deps: RunDependencies = {
    ...{ seatTools, config, instance, models, store, metrics, dailyBudget, statistics, log },
    sessionBudgets: new SessionBudgets(store),
    subjectBudgets,
    statusOf: responseStatus,
  };
  const tools = config.tools && new ConsoleTools(config.tools, config.store.dir);
  const webhooks = new Webhooks(config.webhooks, store, responseStatus, log);
  webhooks.start();
  metrics.observeWebhooks(() => webhooks.pending);
  const tasks = createTaskService(deps, metrics.tasks, webhooks);
  let stopping = false;

  function start(request: CouncilRequest, origin: RunSource, id: string = randomUUID()): Submission {
    dailyBudget.check();
    const live = new LiveRun(id, origin.subject);
    running.set(live.id, live);
    const work = withSlot(live, () => executeRun(live, request, origin, deps)).finally(() => {
      running.delete(live.id);
      inFlight.delete(work);
    });
    inFlight.add(work);
    return { id: live.id, response: live.response, live };
  }

  function startOnce(request: CouncilRequest, origin: RunSource & { idempotencyKey: string }) {
    const print = fingerprint({ channel: origin.channel, request, format: origin.format?.jsonSchema });
    const keyed = { ...origin, fingerprint: print };
    return keys.runOnce(
      origin.idempotencyKey,
      print,
      (id) => start(request, keyed, id),
      (id) => startRecord(id, request, keyed),
    );
  }

  async function withSlot(live: LiveRun, work: () => Promise<void>): Promise<void> {
    let release: (() => void) | undefined;
    try {
      release = await limiter.acquire(live.signal);
      live.admit();
      await work();
    } catch (error) {
      const response = failureResponse(live, error);
      // A run with a key has a record already, though it never had a slot.
      store.record(endRecord(live, response, responseStatus(response.body), error));
      live.fail(toServiceError(live, error), response);
    } finally {
      release?.();
    }
  }

  return {
    config,
    models,
    store,
    statistics,
    metrics,
    log,
    runFeed: new RunFeed(store),
    streams: new StreamLimiter(),
    ...(tools === undefined ? {} : { tools }),
    get stopping() {
      return stopping;
    },
    live: (id) => running.get(id),
    scopeSession: (session) => session,
    readOnlyTools: seatTools?.tools.definitions.map(({ name }) => name) ?? [],
    tasks,
    async submit(
      request,
      {
        channel,
        client,
        caller = "",
        idempotencyKey,
        format,
        requireAnswer,
        webhook,
        step,
        cacheMaxAgeMs,
        subject,
        warnings,
      },
    ) {
      if (stopping) throw shuttingDown();
      checkModelName(request, models);
      if (step) {
        await Promise.all([dailyBudget.refresh(), subjectBudgets.check(subject)]);
        const submission = start(request, { channel, step, subject });
        submission.live?.attach(client ?? new AbortController().signal);
        return submission;
      }
      if (webhook !== undefined) webhooks.check(webhook);
      const cacheKey = cacheKeyOf(request, format, config, models, subject);
      const cached =
        cacheMaxAgeMs && (await fromCache(store, cacheKey, { maxAgeMs: cacheMaxAgeMs, requireAnswer }));
      if (cached) {
        if (webhook !== undefined) webhooks.deliverCached(webhook, cached, `caller ${caller}`);
        return cached;
      }
      await Promise.all([dailyBudget.refresh(), subjectBudgets.check(subject)]);
      const submission =
        idempotencyKey === undefined
          ? start(request, { channel, format, requireAnswer, cacheKey, subject, warnings })
          : await startOnce(request, {
              ...{ channel, idempotencyKey, format, requireAnswer, cacheKey, subject, warnings },
            });
      submission.live?.attach(client ?? new AbortController().signal);
      // A replay was delivered when its run ended.
      if (webhook !== undefined && submission.live && !submission.remote)
        await webhooks.deliverEnd(webhook, submission.live, `caller ${caller}`);
      return submission;
    },
    async close(graceMs = 0) {
      stopping = true;
      const allEnded = () => Promise.all(inFlight);
      const { promise: grace, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([allEnded(), grace]);
      clearTimeout(timer);
      cancelAll("shutdown");
      await tasks.close(graceMs);
      webhooks.close();
      await tools?.close();
      await allEnded();
      await seatTools?.close();
      await Promise.all([dailyBudget.close(), subjectBudgets.close()]);
    },
  };
}

/** A preset whose model has no provider is a mistake in the settings. */
function requireServedPresets({ presets }: Config, models: Models): void {
  const problems = Object.entries(presets).flatMap(([name, config]) =>
    modelsNamedIn({ prompt: "", config }).flatMap(({ path, model }) => {
      const message = models.refuse(model);
      return message === undefined ? [] : [`MCI_PRESETS: ${name}: ${path}: ${message}`];
    }),
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Rejects a model that no configured provider serves, before any call. */
function checkModelName(request: CouncilRequest, models: Models): void {
  const details = modelsNamedIn(request).flatMap(({ path, model }) => {
    const message = models.refuse(model);
    return message === undefined ? [] : [{ path, message }];
  });
  const [first] = details;
  if (first) throw new ServiceError("invalid_request", `${first.path}: ${first.message}`, { details });
}
