import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isLoopback } from "@mci-ts/http-guard";
import type { WebhookConfig } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import type { Store } from "../store/store.ts";
import type { LiveRun, Outcome } from "./live-run.ts";
import { postWebhook } from "./post-webhook.ts";
import type { Submission } from "./submission.ts";

/** Seven attempts within an hour and a quarter. */
const DELAYS_MS = [500, 2000, 30_000, 120_000, 600_000, 3_600_000];
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Deliveries at a time, those that wait for a retry included. */
const MAX_PENDING = 1000;
/** How often webhooks of processes that died are looked for. */
const RECOVER_MS = 10_000;

/**
 * Sends the response of a run to a URL of the caller: allowed hosts only, signed (Standard Webhooks), retried. What is
 * not delivered yet is in the store, so that a restart loses nothing.
 */
export class Webhooks {
  readonly #config: WebhookConfig;
  readonly #store: WebhookStore;
  readonly #log: (message: string) => void;
  readonly #delaysMs: readonly number[];
  readonly #closing = new AbortController();
  /** Runs in flight that have a webhook. */
  readonly #runs = new Set<string>();
  #pending = 0;

  constructor(
    config: WebhookConfig,
    store: WebhookStore,
    log: (message: string) => void,
    delaysMs = DELAYS_MS,
  ) {
    this.#config = config;
    this.#store = store;
    this.#log = log;
    this.#delaysMs = delaysMs;
  }

  /** Throws when the URL may not be called. */
  check(url: string): void {
    const problem = this.#problemWith(url);
    if (problem === undefined) return;
    const message = `config.webhook ${problem}`;
    throw new HttpError("invalid_request", message, { details: [{ path: "config.webhook", message }] });
  }

  /** Delivers the outcome when the run ends. Resolves when it is recorded that this is to be done. */
  async deliverEnd(url: string, live: LiveRun): Promise<void> {
    // A request with the same idempotency key joins the run, not its webhook.
    if (this.#runs.has(live.id)) return;
    this.#runs.add(live.id);
    this.#store.record({ kind: "webhook", id: live.id, url, attempts: 0, nextAt: Date.now() });
    void live.outcome.then((outcome) => {
      this.#runs.delete(live.id);
      void this.#deliver({
        url,
        id: live.id,
        attempts: 0,
        payload: payloadOf(live.id, outcome),
        durable: true,
      });
    });
    await this.#store.commit();
  }

  /** Delivers a response that was there already, under an id of its own: its run may have had a webhook too. */
  deliverCached(url: string, { id, outcome }: Submission): void {
    const own = { url, id: randomUUID(), attempts: 0, durable: false };
    void outcome.then((ended) => this.#deliver({ ...own, payload: payloadOf(id, ended) }));
  }

  /** Continues what dead processes left, now and from time to time. */
  start(): void {
    if (this.#config.hosts.length === 0) return;
    void this.#recover();
    const timer = setInterval(() => void this.#recover(), RECOVER_MS);
    timer.unref();
    this.#closing.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** Ends waits and attempts. What is not delivered stays in the store. */
  close(): void {
    this.#closing.abort(new Error("the service stopped"));
  }

  #problemWith(url: string): string | undefined {
    const { protocol, host, hostname, username, password } = new URL(url);
    if (!this.#config.hosts.includes(host))
      return `names the host ${host}, which MCI_WEBHOOK_HOSTS does not list`;
    if (username + password !== "") return "must not contain a user name or password";
    return protocol === "http:" && !isLoopback(hostname) ? "must use https" : undefined;
  }

  async #recover(): Promise<void> {
    const left = await this.#store.claimWebhooks().catch(() => []);
    for (const { id, url, attempts, nextAt, httpStatus, response } of left) {
      const outcome =
        httpStatus === null || response === null
          ? INTERRUPTED
          : { status: httpStatus, body: JSON.parse(response) };
      // The settings may have changed since.
      const problem = this.#problemWith(url);
      if (problem === undefined)
        void this.#deliver({ url, id, attempts, nextAt, payload: payloadOf(id, outcome), durable: true });
      else this.#drop(id, `its URL ${problem}`);
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { id, url, payload, durable, nextAt = 0 } = delivery;
    if (this.#pending >= MAX_PENDING) return this.#drop(id, `dropped, ${MAX_PENDING} deliveries are waiting`);
    this.#pending++;
    try {
      await this.#pause(nextAt - Date.now());
      for (let { attempts } = delivery; ; attempts++) {
        const { delivered, retry, problem } = await this.#attempt(url, id, payload);
        if (delivered) return this.#store.record({ kind: "webhook_done", id });
        const delay = this.#delaysMs[attempts];
        this.#closing.signal.throwIfAborted();
        if (!retry || delay === undefined) return this.#drop(id, `not delivered: ${problem}`);
        if (durable)
          this.#store.record({
            kind: "webhook",
            id,
            url,
            attempts: attempts + 1,
            nextAt: Date.now() + delay,
          });
        await this.#pause(delay);
      }
    } catch {
      this.#log(
        `webhook of run ${id}: the service stopped before it was delivered${durable ? "; the next start goes on" : ""}`,
      );
    } finally {
      this.#pending--;
    }
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#closing.signal, ref: false });
  }

  #drop(id: string, reason: string): void {
    this.#store.record({ kind: "webhook_done", id });
    this.#log(`webhook of run ${id}: ${reason}`);
  }

  async #attempt(url: string, id: string, body: string): Promise<Attempt> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    try {
      const status = await postWebhook(url, body, {
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": sign(this.#config.secret ?? "", `${id}.${timestamp}.${body}`),
        },
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
        allowPrivate: this.#config.allowPrivate,
      });
      const delivered = status >= 200 && status < 300;
      return { delivered, retry: status >= 500 || status === 429, problem: `status ${status}` };
    } catch (error) {
      return { delivered: false, retry: true, problem: (error as Error).message };
    }
  }
}

type WebhookStore = Pick<Store, "record" | "commit" | "claimWebhooks">;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly payload: string;
  /** Attempts that failed so far. */
  readonly attempts: number;
  /** When the next attempt is due. Default: now. */
  readonly nextAt?: number;
  /** Whether the store has it. */
  readonly durable: boolean;
}

interface Attempt {
  readonly delivered: boolean;
  readonly retry: boolean;
  readonly problem: string;
}

const INTERRUPTED = {
  status: 500,
  body: new HttpError("interrupted", "The service stopped while this run was in flight").body,
};

function payloadOf(id: string, { status, body }: Outcome): string {
  const type = status < 400 ? "run.completed" : "run.failed";
  return JSON.stringify({ type, timestamp: new Date().toISOString(), data: { id, status, body } });
}

function sign(secret: string, content: string): string {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
