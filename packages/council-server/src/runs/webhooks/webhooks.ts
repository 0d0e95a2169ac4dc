import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log, TaskWebhook } from "@mci-ts/council";
import { isLoopback } from "@mci-ts/http-guard";
import type { WebhookConfig } from "../../config/config.ts";
import { ServiceError } from "../../service-error.ts";
import type { Store } from "../../store/store.ts";
import type { LiveRun, RunResponse } from "../live/live-run.ts";
import { interruptedResponse } from "../response/recorded-response.ts";
import type { Submission } from "../submission.ts";
import { DeliverySlots } from "./delivery-slots.ts";
import { postWebhook } from "./post-webhook.ts";

/** Seven attempts within an hour and a quarter. */
const DELAYS_MS = [500, 2000, 30_000, 120_000, 600_000, 3_600_000];
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Webhooks taken from the store at once. */
const MAX_CLAIMED = 25;
/** How often webhooks are looked for that wait in the store, or that processes left that died. */
const RECOVER_MS = 10_000;

/**
 * Sends the response of a run to a URL of the caller: allowed hosts only, signed (Standard Webhooks), retried. What is
 * not delivered yet is in the store, so that a restart loses nothing.
 */
export class Webhooks {
  readonly #config: WebhookConfig;
  readonly #store: WebhookStore;
  readonly #statusOf: StatusOf;
  readonly #log: Log;
  readonly #delaysMs: readonly number[];
  readonly #closing = new AbortController();
  /** Runs in flight that have a webhook. */
  readonly #runs = new Set<string>();
  readonly #slots = new DeliverySlots();
  #delivering = 0;
  #recovering = false;
  /** Whether something may wait in the store for a slot. */
  #hasWaiting = false;

  constructor(
    config: WebhookConfig,
    store: WebhookStore,
    statusOf: StatusOf,
    log: Log,
    delaysMs = DELAYS_MS,
  ) {
    this.#config = config;
    this.#store = store;
    this.#statusOf = statusOf;
    this.#log = log;
    this.#delaysMs = delaysMs;
  }

  /** Deliveries that wait for the end of their run, for a slot or for the receiver. */
  get pending(): number {
    return this.#runs.size + this.#delivering;
  }

  /** Throws when the URL may not be called. */
  check(url: string, path = "config.webhook"): void {
    const problem = this.#problemWith(url);
    if (problem === undefined) return;
    const message = `${path} ${problem}`;
    throw new ServiceError("invalid_request", message, { details: [{ path, message }] });
  }

  /** Delivers the response when the run ends. Resolves when it is recorded that this is to be done. */
  async deliverEnd(url: string, live: LiveRun, caller: string): Promise<void> {
    // A request with the same idempotency key joins the run, not its webhook.
    if (this.#runs.has(live.id)) return;
    this.#runs.add(live.id);
    this.#store.record({ kind: "webhook", id: live.id, url, attempts: 0, nextAt: Date.now() });
    void live.response.then((response) => {
      this.#runs.delete(live.id);
      void this.#deliver({
        url,
        id: live.id,
        attempts: 0,
        payload: this.#payloadOf(live.id, response),
        durable: true,
        caller,
      });
    });
    await this.#store.commit().catch((cause: Error) => {
      throw new ServiceError("history_unavailable", `The webhook cannot be recorded: ${cause.message}`, {
        cause,
      });
    });
  }

  /** Delivers a response that was there already, under an id of its own: its run may have had a webhook too. */
  deliverCached(url: string, { id, response }: Submission, caller: string): void {
    // It has no record to wait in.
    if (this.#slots.isFull(hostOf(url)) || this.#slots.roomOf(caller) === 0)
      throw new ServiceError("overloaded", "Too many webhooks are being delivered; try again later", {
        retryAfterSeconds: RECOVER_MS / 1000,
      });
    const own = { url, id: randomUUID(), attempts: 0, durable: false, caller };
    void response.then((ended) => this.#deliver({ ...own, payload: this.#payloadOf(id, ended) }));
  }

  /** One attempt to tell the receiver of a task that it is over. What is tried again, and when, is stored with the task. */
  async deliverTask({ url, attempts, task }: TaskWebhook): Promise<{ retryMs: number | null }> {
    // The settings may have changed since.
    const problem = this.#problemWith(url);
    const type = `task.${task.status === "complete" ? "completed" : task.status}`;
    const payload = JSON.stringify({ type, timestamp: new Date().toISOString(), data: task });
    // A task that is retried ends again.
    const id = `${task.id}.${Date.parse(task.ended_at ?? task.created_at)}`;
    const attempt =
      problem === undefined
        ? await this.#attempt(url, id, payload)
        : { delivered: false, retry: false, problem: `its URL ${problem}` };
    if (attempt.delivered) return { retryMs: null };
    const retryMs = attempt.retry ? (this.#delaysMs[attempts] ?? null) : null;
    if (retryMs === null)
      this.#log(`webhook of task ${task.id}: not delivered: ${attempt.problem}`, { task: task.id });
    return { retryMs };
  }

  /** Continues what dead processes left, now and from time to time; says how many there are where none may be delivered. */
  start(): void {
    if (this.#config.hosts.length === 0) return void this.#nameUndelivered();
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

  async #nameUndelivered(): Promise<void> {
    const count = await this.#store.countWebhooks().catch(() => 0);
    if (count > 0)
      this.#log(
        `runs: MCI_WEBHOOK_HOSTS is not set: webhooks that are not delivered: ${count}; they are kept as long as their runs`,
      );
  }

  async #recover(): Promise<void> {
    if (this.#recovering) return;
    this.#recovering = true;
    const roomOf = (host: string) => (this.#slots.isFull(host) ? 0 : this.#slots.roomOf(fromStore(host)));
    const skipHosts = this.#config.hosts.filter((host) => roomOf(host) === 0);
    // As many as have room, whichever hosts they are for.
    const limit = Math.min(...this.#config.hosts.map(roomOf).filter((room) => room > 0), MAX_CLAIMED);
    const left = await this.#store.claimWebhooks({ limit, skipHosts }).catch(() => []);
    this.#recovering = false;
    this.#hasWaiting = left.length === limit || skipHosts.length > 0;
    for (const { id, url, attempts, nextAt, httpStatus, response } of left) {
      const ended =
        httpStatus === null || response === null ? interruptedResponse() : { body: JSON.parse(response) };
      // The settings may have changed since.
      const problem = this.#problemWith(url);
      if (problem === undefined)
        void this.#deliver({
          ...{ url, id, attempts, nextAt, payload: this.#payloadOf(id, ended) },
          durable: true,
          caller: fromStore(hostOf(url)),
        });
      else this.#drop(id, `its URL ${problem}`);
    }
  }

  #payloadOf(id: string, { body }: RunResponse): string {
    const type = "error" in body ? "run.failed" : "run.completed";
    const data = { id, status: this.#statusOf(body), body };
    return JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { id, url, payload, durable, caller, nextAt = Date.now() } = delivery;
    const host = hostOf(url);
    if (!this.#slots.acquire(host, caller)) {
      if (!durable) return this.#drop(id, "dropped, too many deliveries are waiting");
      const { attempts } = delivery;
      this.#hasWaiting = true;
      return this.#store.record({ kind: "webhook", id, url, attempts, nextAt, waiting: true });
    }
    this.#delivering++;
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
        { run: id },
      );
    } finally {
      this.#delivering--;
      this.#slots.release(host, caller);
      // What waits in the store has room now.
      if (this.#hasWaiting && !this.#closing.signal.aborted) void this.#recover();
    }
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#closing.signal, ref: false });
  }

  #drop(id: string, reason: string): void {
    this.#store.record({ kind: "webhook_done", id });
    this.#log(`webhook of run ${id}: ${reason}`, { run: id });
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

/** The status that clients know for a response; it is part of what is delivered. */
type StatusOf = (body: RunResponse["body"]) => number;

type WebhookStore = Pick<Store, "record" | "commit" | "claimWebhooks" | "countWebhooks">;

/**
 * Callers of what comes from the store are not known: those of one host count as one together, so that a receiver that does not respond
 * keeps no other from being served.
 */
const fromStore = (host: string) => `store ${host}`;

const hostOf = (url: string) => new URL(url).host;

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
  readonly caller: string;
}

interface Attempt {
  readonly delivered: boolean;
  readonly retry: boolean;
  readonly problem: string;
}

function sign(secret: string, content: string): string {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
