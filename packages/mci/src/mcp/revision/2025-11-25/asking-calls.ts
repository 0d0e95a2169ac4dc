import type { ElicitResult } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS } from "../../../abort.ts";
import type { McpError } from "../../errors.ts";
import type { InputOptions } from "../../input.ts";
import { readInputRequest } from "../../session/input-request.ts";
import { askPerson, MAX_QUESTIONS, noOneToAsk } from "../../session/input-rounds.ts";

/** A call in flight on a session of the protocol before 2026. */
export interface AskingCall {
  /** Aborts when the call ends early: its time is up, it is cancelled, or no one can be asked. */
  readonly signal: AbortSignal;
  end(): void;
}

interface InFlight {
  readonly target: string;
  readonly input: InputOptions;
  readonly controller: AbortController;
  readonly clock: Clock;
  questions: number;
}

/**
 * Before 2026 a server asks with a request of its own, which does not say for which call. It is answered where only one
 * person can be meant; the person of another call must not see it.
 */
export class AskingCalls {
  readonly #server: string;
  readonly #inFlight = new Set<InFlight>();

  constructor(server: string) {
    this.#server = server;
  }

  begin(
    target: string,
    input: InputOptions,
    {
      timeoutMs,
      signal,
      timeoutError,
    }: { timeoutMs: number; signal?: AbortSignal; timeoutError: () => McpError },
  ): AskingCall {
    const controller = new AbortController();
    const clock = new Clock(timeoutMs, () => controller.abort(timeoutError()));
    const call: InFlight = { target, input, controller, clock, questions: 0 };
    const onAbort = () => controller.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    this.#inFlight.add(call);
    return {
      signal: controller.signal,
      end: () => {
        this.#inFlight.delete(call);
        signal?.removeEventListener("abort", onAbort);
        clock.stop();
      },
    };
  }

  /** A request of the server. */
  async answer(request: { method: string; params?: unknown }, signal: AbortSignal): Promise<ElicitResult> {
    const calls = [...this.#inFlight];
    const call = calls.at(-1);
    const people = new Set(calls.map(({ input }) => input.inputGroup ?? input.onInput));
    if (call === undefined || people.size > 1 || ++call.questions > MAX_QUESTIONS)
      return { action: "cancel" };
    for (const { clock } of calls) clock.pause();
    try {
      const question = readInputRequest(request);
      const { onInput } = call.input;
      if (onInput === undefined) throw noOneToAsk([question]);
      const context = {
        server: this.#server,
        target: call.target,
        signal: AbortSignal.any([signal, call.controller.signal]),
      };
      return (await askPerson(onInput, question, context)) as ElicitResult;
    } catch (error) {
      call.controller.abort(error);
      return { action: "cancel" };
    } finally {
      for (const { clock } of calls) clock.resume();
    }
  }
}

/** Counts down, but not while a person is asked. */
class Clock {
  #left: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #onEnd: () => void;

  constructor(ms: number, onEnd: () => void) {
    this.#left = ms;
    this.#onEnd = onEnd;
    this.resume();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#startedAt;
  }

  stop(): void {
    this.pause();
    this.#isStopped = true;
  }

  resume(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.min(Math.max(this.#left, 0), MAX_TIMER_MS));
  }
}
