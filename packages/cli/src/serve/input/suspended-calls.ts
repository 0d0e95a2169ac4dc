import type { InputRequest, InputResponse, OnInput } from "mci-ts";
import { ANSWER_TIMEOUT_S } from "./request-state.ts";

/** Calls that wait for a person at the same time. */
const MAX_SUSPENDED = 200;
/** Those of one caller, where an issuer tells callers apart. */
const MAX_SUSPENDED_OF_CALLER = 50;

/**
 * Calls that wait for an answer inside this process. A server before 2026 asks while the call runs, and its client cannot be
 * called again with a state: the call goes on here, and our client gets a name for it.
 */
export class SuspendedCalls<T> {
  readonly #calls = new Map<string, SuspendedCall<T>>();

  /** Runs a call until it ends or asks. `caller`: empty where they cannot be told apart. */
  async start(
    caller: string,
    signal: AbortSignal,
    run: (onInput: OnInput, signal: AbortSignal) => Promise<T>,
  ): Promise<Ended<T> | Asked> {
    const call = new SuspendedCall<T>(caller, run);
    return this.#next(call, signal);
  }

  /** Continues a call with what was answered. Undefined if there is no such call any more. */
  async resume(
    id: string,
    response: InputResponse,
    signal: AbortSignal,
  ): Promise<Ended<T> | Asked | undefined> {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    call.answer(response);
    return this.#next(call, signal);
  }

  async #next(call: SuspendedCall<T>, signal: AbortSignal): Promise<Ended<T> | Asked> {
    const outcome = await call.next(signal);
    if (!("request" in outcome)) return outcome;
    if (this.#isFull(call)) {
      call.answer({ action: "cancel" });
      return this.#next(call, signal);
    }
    const id = crypto.randomUUID();
    this.#calls.set(id, call);
    call.onTimeout(() => this.#calls.delete(id));
    return { request: outcome.request, id };
  }

  #isFull({ caller }: SuspendedCall<T>): boolean {
    if (this.#calls.size >= MAX_SUSPENDED) return true;
    if (caller === "") return false;
    return (
      [...this.#calls.values()].filter((call) => call.caller === caller).length >= MAX_SUSPENDED_OF_CALLER
    );
  }

  /** Cancels all of them. */
  close(): void {
    for (const call of this.#calls.values()) call.cancel();
    this.#calls.clear();
  }
}

export interface Ended<T> {
  readonly result: T;
}

export interface Asked {
  readonly request: InputRequest;
  readonly id: string;
}

class SuspendedCall<T> {
  readonly caller: string;
  readonly #controller = new AbortController();
  readonly #result: Promise<Ended<T>>;
  #question = Promise.withResolvers<{ request: InputRequest }>();
  #answer: ((response: InputResponse) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(caller: string, run: (onInput: OnInput, signal: AbortSignal) => Promise<T>) {
    this.caller = caller;
    this.#result = run((request) => this.#ask(request), this.#controller.signal).then((result) => ({
      result,
    }));
    // The call that waits for it gets the error.
    this.#result.catch(() => {});
  }

  /** What comes first: the end, or a question. A client that leaves meanwhile cancels the call. */
  async next(signal: AbortSignal): Promise<Ended<T> | { request: InputRequest }> {
    const cancel = () => this.cancel();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await Promise.race([this.#result, this.#question.promise]);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  answer(response: InputResponse): void {
    clearTimeout(this.#timer);
    this.#question = Promise.withResolvers();
    this.#answer?.(response);
  }

  onTimeout(forget: () => void): void {
    this.#timer = setTimeout(() => {
      forget();
      this.cancel();
    }, ANSWER_TIMEOUT_S * 1000).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  #ask(request: InputRequest): Promise<InputResponse> {
    const { promise, resolve } = Promise.withResolvers<InputResponse>();
    this.#answer = resolve;
    this.#question.resolve({ request });
    return promise;
  }
}
