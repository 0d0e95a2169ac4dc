import { randomBytes } from "node:crypto";
import type { CallToolResult, InputRequest as McpInputRequest } from "@modelcontextprotocol/server";
import type { InputRequest, InputResponse } from "mci-ts";
import { isInputResponse, toMcp } from "../input/input-relay.ts";

/** Tasks at the same time; with more, calls are answered when they end, as without tasks. */
const MAX_TASKS = 200;
const MAX_TASKS_OF_OWNER = 50;
/** Bytes of results that wait to be fetched. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Milliseconds that a task is there, besides the time that its tool may take. */
const LIFETIME_MS = 60 * 60_000;
const POLL_INTERVAL_MS = 1000;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Characters of a status message. */
const MAX_MESSAGE = 1000;

export interface NewTask {
  /** Who may see it: a caller of an issuer, or everyone who may use the server. */
  readonly owner: string;
  /** Milliseconds that the tool may take. */
  readonly timeoutMs: number;
}

/** The calls that clients fetch the results of later. They end with the process. */
export class TaskStore {
  readonly #tasks = new Map<string, CallTask>();

  /** Undefined if there are too many. */
  create({ owner, timeoutMs }: NewTask): CallTask | undefined {
    const all = [...this.#tasks.values()];
    const isFull =
      all.length >= MAX_TASKS ||
      all.filter((task) => task.owner === owner).length >= MAX_TASKS_OF_OWNER ||
      all.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES;
    if (isFull) return undefined;
    const task: CallTask = new CallTask(owner, timeoutMs + LIFETIME_MS, () => this.#tasks.delete(task.id));
    this.#tasks.set(task.id, task);
    return task;
  }

  /** Undefined if it does not exist, or belongs to another caller. */
  find(id: string, owner: string): CallTask | undefined {
    const task = this.#tasks.get(id);
    return task?.owner === owner ? task : undefined;
  }

  close(): void {
    for (const task of this.#tasks.values()) task.end();
  }
}

type Outcome =
  | { readonly status: "completed"; readonly result: object }
  | { readonly status: "failed"; readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: "cancelled" };

interface Question {
  readonly request: McpInputRequest;
  readonly resolve: (response: InputResponse) => void;
}

/** A call that runs on after its client was told that it does. */
export class CallTask {
  /** A client that knows it may fetch the result: it cannot be guessed. */
  readonly id = randomBytes(24).toString("base64url");
  readonly owner: string;
  readonly #ttlMs: number;
  readonly #controller = new AbortController();
  readonly #createdAt = new Date().toISOString();
  readonly #questions = new Map<string, Question>();
  readonly #timer: NodeJS.Timeout;
  readonly #onEnd: () => void;
  #updatedAt = this.#createdAt;
  #message: string | undefined;
  #outcome: Outcome | undefined;
  #count = 0;
  #bytes = 0;

  constructor(owner: string, ttlMs: number, onEnd: () => void) {
    this.owner = owner;
    this.#ttlMs = ttlMs;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.end(), Math.min(ttlMs, MAX_TIMER_MS)).unref();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Runs until the outcome is there. */
  async follow(call: Promise<CallToolResult>): Promise<void> {
    try {
      const result = await call;
      if (this.#outcome === undefined) this.#bytes = Buffer.byteLength(JSON.stringify(result));
      this.#settle({ status: "completed", result });
    } catch (error) {
      const { code = -32_603, message } = error as { code?: number; message: string };
      this.#settle({ status: "failed", error: { code, message } });
    }
  }

  /** Waits until the client has answered. */
  ask(request: InputRequest): Promise<InputResponse> {
    const { promise, resolve } = Promise.withResolvers<InputResponse>();
    this.#questions.set(`input-${++this.#count}`, { request: toMcp(request), resolve });
    this.#touch();
    return promise;
  }

  /** What the client says to questions that are open; others are ignored. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#questions.get(key);
      if (question === undefined || !isInputResponse(response)) continue;
      this.#questions.delete(key);
      question.resolve(response);
    }
    this.#touch();
  }

  say(message: string | undefined): void {
    if (message === undefined) return;
    this.#message = message.slice(0, MAX_MESSAGE);
    this.#touch();
  }

  /** A task that has ended stays as it is. */
  cancel(): void {
    this.#settle({ status: "cancelled" });
    this.#controller.abort();
  }

  /** Nothing of it is left. */
  end(): void {
    clearTimeout(this.#timer);
    this.#onEnd();
    this.cancel();
  }

  /** The task as it was when it was made. */
  created(): object {
    return { ...this.#fields("working"), resultType: "task" };
  }

  /** The task as it is now. */
  detailed(): object {
    const outcome = this.#outcome;
    if (outcome !== undefined) {
      const { status, ...more } = outcome;
      return { ...this.#fields(status), ...more };
    }
    if (this.#questions.size === 0) return this.#fields("working");
    const inputRequests = Object.fromEntries(
      [...this.#questions].map(([key, { request }]) => [key, request]),
    );
    return { ...this.#fields("input_required"), inputRequests };
  }

  #fields(status: string): object {
    return {
      taskId: this.id,
      status,
      ...(this.#message !== undefined && { statusMessage: this.#message }),
      createdAt: this.#createdAt,
      lastUpdatedAt: this.#updatedAt,
      ttlMs: this.#ttlMs,
      pollIntervalMs: POLL_INTERVAL_MS,
    };
  }

  #settle(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    for (const { resolve } of this.#questions.values()) resolve({ action: "cancel" });
    this.#questions.clear();
    this.#touch();
  }

  #touch(): void {
    this.#updatedAt = new Date().toISOString();
  }
}
