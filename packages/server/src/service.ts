import { randomUUID } from "node:crypto";
import type { CouncilRequest } from "@mci-ts/council";
import type { Config } from "./config.ts";
import { HttpError } from "./http/errors.ts";
import type { Models } from "./providers/models.ts";
import { Admission } from "./runs/admission.ts";
import { conduct, type Origin, type Surroundings } from "./runs/conduct.ts";
import { fingerprint, IdempotencyKeys } from "./runs/idempotency.ts";
import { dayStart, Ledger } from "./runs/ledger.ts";
import { type CancelReason, LiveRun, type Outcome } from "./runs/live-run.ts";
import { Memory } from "./runs/memory.ts";
import { failed, toHttpError } from "./runs/outcome.ts";
import { type ServiceMetrics, serviceMetrics } from "./service-metrics.ts";
import type { Front } from "./store/records.ts";
import type { Store } from "./store/store.ts";

export interface SubmitOptions {
  readonly front: Front;
  /** The client that waits; when it is gone the run stops. */
  readonly client: AbortSignal;
  readonly idempotencyKey?: string;
}

/** A run as its client sees it: under way, or answered before under the same key. */
export interface Submission {
  readonly id: string;
  readonly outcome: Promise<Outcome>;
  /** Absent when the answer is a replay. */
  readonly live?: LiveRun;
}

/** The council with everything around it: one door for HTTP, MCP and chat completions. */
export interface CouncilService {
  readonly config: Config;
  readonly models: Models;
  readonly store: Store;
  readonly metrics: ServiceMetrics;
  readonly log: (message: string) => void;
  /** Starts a run, or joins the one under way with the same key. */
  submit(request: CouncilRequest, options: SubmitOptions): Promise<Submission>;
  live(id: string): LiveRun | undefined;
  readonly stopping: boolean;
  /** Stops taking runs, gives those under way a moment, then stops them too. */
  close(graceMs?: number): Promise<void>;
}

/**
 * CouncilRequest -budget, key-> LiveRun -admission-> conduct (engine, history, metrics) -> Outcome
 */
export async function createService(
  config: Config,
  models: Models,
  store: Store,
  log: (message: string) => void,
): Promise<CouncilService> {
  const { maxConcurrent, maxQueued, queueWaitMs } = config.http;
  const admission = new Admission({ maxConcurrent, maxQueued, maxWaitMs: queueWaitMs });
  const metrics = serviceMetrics(admission, store);
  const keys = new IdempotencyKeys(store);
  const running = new Map<string, LiveRun>();
  /** Until their last record is written down, a moment after the answer. */
  const underWay = new Set<Promise<void>>();
  const cancelAll = (reason: CancelReason) => {
    for (const live of running.values()) live.cancel(reason);
  };
  const ledger = new Ledger(config.dailyBudget, () => cancelAll("daily_budget"));
  // A restart is no new day.
  const today = dayStart(Date.now());
  ledger.add(await store.spentSince(today));
  if (config.dailyBudget.max_usd !== undefined) {
    // Prices may have been given since; what still has none ends the budget as it did before.
    for (const { model, ...usage } of await store.unpricedSince(today))
      ledger.add({ usd: models.price(model, usage) ?? null });
  }
  const memory = new Memory(await store.agreements());
  const around: Surroundings = { config, models, store, metrics, ledger, memory, log };
  let stopping = false;

  function start(request: CouncilRequest, origin: Origin): Submission {
    ledger.check();
    const live = new LiveRun(randomUUID());
    running.set(live.id, live);
    const work = takeTurn(live, () => conduct(live, request, origin, around)).finally(() => {
      running.delete(live.id);
      underWay.delete(work);
    });
    underWay.add(work);
    return { id: live.id, outcome: live.outcome, live };
  }

  function startOnce(request: CouncilRequest, origin: Origin & { idempotencyKey: string }) {
    const print = fingerprint({ front: origin.front, request });
    return keys.once(origin.idempotencyKey, print, () => start(request, { ...origin, fingerprint: print }));
  }

  async function takeTurn(live: LiveRun, work: () => Promise<void>): Promise<void> {
    let leave: (() => void) | undefined;
    try {
      leave = await admission.enter(live.signal);
      live.admitted.resolve();
      await work();
    } catch (error) {
      live.admitted.reject(toHttpError(live, error));
      live.end(failed(live, error));
    } finally {
      leave?.();
    }
  }

  return {
    config,
    models,
    store,
    metrics,
    log,
    get stopping() {
      return stopping;
    },
    live: (id) => running.get(id),
    async submit(request, { front, client, idempotencyKey }) {
      if (stopping)
        throw new HttpError("shutting_down", "The service is stopping", { headers: { "retry-after": "5" } });
      checkModel(request, models);
      const submission =
        idempotencyKey === undefined
          ? start(request, { front })
          : await startOnce(request, { front, idempotencyKey });
      submission.live?.attach(client);
      return submission;
    },
    async close(graceMs = 0) {
      stopping = true;
      const left = () => Promise.all(underWay);
      const { promise: grace, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([left(), grace]);
      clearTimeout(timer);
      cancelAll("shutdown");
      await left();
    },
  };
}

/** A model that nobody serves is the request's mistake, found before any call. */
function checkModel(request: CouncilRequest, models: Models): void {
  const model = request.config?.model;
  const message = model === undefined ? undefined : models.refuse(model);
  if (message === undefined) return;
  throw new HttpError("invalid_request", `config.model: ${message}`, {
    details: [{ path: "config.model", message }],
  });
}
