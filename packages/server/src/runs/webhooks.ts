import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isLoopback } from "@mci-ts/http-guard";
import type { WebhookConfig } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import type { LiveRun } from "./live-run.ts";

const DELAYS_MS = [1000, 5000, 30_000, 120_000];
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Deliveries at a time, those that wait for a retry included. */
const MAX_PENDING = 1000;

/** Sends the response of a run to a URL of the caller: allowed hosts only, signed (Standard Webhooks), retried. */
export class Webhooks {
  readonly #config: WebhookConfig;
  readonly #log: (message: string) => void;
  readonly #delaysMs: readonly number[];
  readonly #closing = new AbortController();
  #pending = 0;

  constructor(config: WebhookConfig, log: (message: string) => void, delaysMs = DELAYS_MS) {
    this.#config = config;
    this.#log = log;
    this.#delaysMs = delaysMs;
  }

  /** Throws when the URL may not be called. */
  check(url: string): void {
    const { protocol, host, hostname, username, password } = new URL(url);
    const problem = !this.#config.hosts.includes(host)
      ? `names the host ${host}, which MCI_WEBHOOK_HOSTS does not list`
      : username + password !== ""
        ? "must not contain a user name or password"
        : protocol === "http:" && !isLoopback(hostname)
          ? "must use https"
          : undefined;
    if (problem === undefined) return;
    const message = `config.webhook ${problem}`;
    throw new HttpError("invalid_request", message, { details: [{ path: "config.webhook", message }] });
  }

  /** Delivers the outcome when the run ends; failures are logged. */
  deliverEnd(url: string, live: LiveRun): void {
    void live.outcome.then(async ({ status, body }) => {
      if (this.#pending >= MAX_PENDING) {
        this.#log(`webhook of run ${live.id}: dropped, ${MAX_PENDING} deliveries are waiting`);
        return;
      }
      this.#pending++;
      const type = status < 400 ? "run.completed" : "run.failed";
      const payload = { type, timestamp: new Date().toISOString(), data: { id: live.id, status, body } };
      const problem = await this.#deliver(url, live.id, JSON.stringify(payload));
      this.#pending--;
      if (problem !== undefined) this.#log(`webhook of run ${live.id}: not delivered: ${problem}`);
    });
  }

  /** Ends waits and attempts. */
  close(): void {
    this.#closing.abort(new Error("the service stopped"));
  }

  async #deliver(url: string, id: string, body: string): Promise<string | undefined> {
    for (let attempt = 0; ; attempt++) {
      const { delivered, retry, problem } = await this.#attempt(url, id, body);
      if (delivered) return undefined;
      const delay = this.#delaysMs[attempt];
      if (!retry || delay === undefined) return problem;
      try {
        await sleep(delay, undefined, { signal: this.#closing.signal, ref: false });
      } catch {
        return `${problem}; the service stopped before the next attempt`;
      }
    }
  }

  async #attempt(url: string, id: string, body: string): Promise<Attempt> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    try {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": sign(this.#config.secret ?? "", `${id}.${timestamp}.${body}`),
        },
        // Another host was not allowed.
        redirect: "manual",
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      const { ok, status } = response;
      return { delivered: ok, retry: status >= 500 || status === 429, problem: `status ${status}` };
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      return { delivered: false, retry: !this.#closing.signal.aborted, problem: reason };
    }
  }
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
