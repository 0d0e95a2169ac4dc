import { randomUUID } from "node:crypto";
import { type CouncilRequest, runCouncil } from "@mci-ts/council";
import type { Config } from "./config.ts";
import { HttpError } from "./http/errors.ts";
import type { Models } from "./models/models.ts";
import { Admission } from "./runs/admission.ts";
import { fingerprint, IdempotencyKeys } from "./runs/idempotency.ts";
import { Ledger } from "./runs/ledger.ts";
import { type CancelReason, envelope, LiveRun, type Outcome } from "./runs/live-run.ts";
import { Memory } from "./runs/memory.ts";
import { answered, endRecord, failed } from "./runs/outcome.ts";
import { type ServiceMetrics, serviceMetrics } from "./service-metrics.ts";
import type { Front } from "./store/records.ts";
import type { Store } from "./store/store.ts";
import { observed, runSpan } from "./telemetry.ts";

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

export async function createService(
  config: Config,
  models: Models,
  store: Store,
  log: (message: string) => void,
): Promise<CouncilService> {
  const { maxConcurrent, maxQueued, queueWaitMs } = config.http;
  const admission = new Admission({ maxConcurrent, maxQueued, maxWaitMs: queueWaitMs });
  const metrics = serviceMetrics(admission, store);
  const memory = new Memory(await store.agreements());
  const running = new Map<string, LiveRun>();
  const keys = new IdempotencyKeys<Promise<Submission>>();
  const cancelAll = (reason: CancelReason) => {
    for (const live of running.values()) live.cancel(reason);
  };
  const ledger = new Ledger(config.dailyBudget, () => cancelAll("daily_budget"));
  let closing = false;

  async function submit(request: CouncilRequest, options: SubmitOptions): Promise<Submission> {
    if (closing)
      throw new HttpError("shutting_down", "The service is stopping", { headers: { "retry-after": "5" } });
    const refused = request.config?.model === undefined ? undefined : models.refuse(request.config.model);
    if (refused !== undefined) {
      throw new HttpError("invalid_request", `config.model: ${refused}`, {
        details: [{ path: "config.model", message: refused }],
      });
    }
    const print = fingerprint({ front: options.front, request });
    const submission = await (options.idempotencyKey === undefined
      ? start(request, options, print)
      : startOnce(request, options, print, options.idempotencyKey));
    submission.live?.attach(options.client);
    return submission;
  }

  /** The same key means the same run: joined while it is under way, replayed once it is answered. */
  async function startOnce(
    request: CouncilRequest,
    options: SubmitOptions,
    print: string,
    key: string,
  ): Promise<Submission> {
    const known = keys.get(key);
    if (known) {
      sameRequest(known.fingerprint, print);
      const submission = await known.entry;
      // A run whose clients all left is as good as none.
      if (submission.live?.cancelled === undefined) return submission;
    }
    // Noted before anything is awaited: a second request a moment later must find it.
    const entry = (async (): Promise<Submission> => {
      const before = await store.findByKey(key).catch(() => undefined);
      if (!before) return start(request, options, print);
      sameRequest(before.fingerprint, print);
      return {
        id: before.id,
        outcome: Promise.resolve({ status: before.httpStatus, body: JSON.parse(before.response) }),
      };
    })();
    keys.set(key, print, entry);
    entry
      .then(async ({ id, outcome }) => {
        // An answer is kept without the run around it; a failure is forgotten, a retry deserves another chance.
        if ((await outcome).status < 400) keys.replace(key, entry, Promise.resolve({ id, outcome }));
        else keys.delete(key, entry);
      })
      .catch(() => keys.delete(key, entry));
    return entry;
  }

  function start(
    request: CouncilRequest,
    { front, idempotencyKey }: SubmitOptions,
    print: string,
  ): Submission {
    ledger.check();
    const live = new LiveRun(randomUUID());
    running.set(live.id, live);
    const record = { front, idempotencyKey, fingerprint: print, prompt: request.prompt };
    void run(live, request, record).finally(() => running.delete(live.id));
    return { id: live.id, outcome: live.outcome, live };
  }

  async function run(
    live: LiveRun,
    request: CouncilRequest,
    record: { front: Front; idempotencyKey?: string; fingerprint: string; prompt: string },
  ): Promise<void> {
    let leave: (() => void) | undefined;
    try {
      leave = await admission.enter(live.signal);
    } catch (error) {
      live.admitted.reject(error);
      live.end(failed(live, error));
      return;
    }
    live.admitted.resolve();
    const started = performance.now();
    store.record({
      kind: "started",
      id: live.id,
      at: Date.now(),
      request: JSON.stringify(request),
      ...record,
    });
    const { span, inside } = runSpan(live.id, request.config?.model ?? models.names.voter);
    let outcome: Outcome;
    let failure: unknown;
    try {
      const { asked, warnings } = forModels(request, models);
      const result = await runCouncil(asked, {
        model: observed(models, metrics, ledger, inside),
        models: models.names,
        signal: live.signal,
        budget: config.budget,
        defaults: config.voting,
        assistedRouting: config.voting.assistedRouting,
        price: models.price,
        record: (model) => memory.agreement(model),
        equivalences: memory.equivalences,
        onEvent: (event) => {
          const sent = envelope(live.id, event);
          live.emit(sent);
          metrics.event(event);
          store.record({
            kind: "event",
            id: live.id,
            seq: event.seq,
            at: event.at,
            type: event.type,
            data: JSON.stringify(sent),
          });
        },
      });
      outcome = answered(live.id, result, models.simulated, warnings);
    } catch (error) {
      failure = error;
      outcome = failed(live, error);
      if (outcome.status === 500) log(`run ${live.id}: ${error instanceof Error ? error.stack : error}`);
    }
    // The answer first; bookkeeping must not come between it and the client.
    live.end(outcome);
    leave();
    span.setAttribute("http.response.status_code", outcome.status);
    span.end();
    metrics.ran(outcome, (performance.now() - started) / 1000);
    const end = endRecord(live, outcome, failure);
    store.record(end);
    memory.learn(end);
  }

  return {
    config,
    models,
    store,
    metrics,
    log,
    submit,
    live: (id) => running.get(id),
    get stopping() {
      return closing;
    },
    async close(graceMs = 0) {
      closing = true;
      const left = () => Promise.all([...running.values()].map((live) => live.outcome));
      const { promise: grace, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([left(), grace]);
      clearTimeout(timer);
      cancelAll("shutdown");
      await left();
    },
  };
}

function sameRequest(before: string, now: string): void {
  if (before !== now) {
    throw new HttpError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another request; use a new key",
    );
  }
}

/** The simulated model cannot stand in for a named one without saying so. */
function forModels(request: CouncilRequest, models: Models): { asked: CouncilRequest; warnings: string[] } {
  const model = request.config?.model;
  if (!models.simulated || model === undefined) return { asked: request, warnings: [] };
  const { model: _, ...config } = request.config ?? {};
  return {
    asked: { ...request, config },
    warnings: [
      `config.model "${model}" was not asked: this service has no model provider and answers are simulated`,
    ],
  };
}
