import type { Call } from "./executor.ts";

/** One execution in flight; can be cancelled. */
export class CallContext implements Call {
  readonly tool: Call["tool"];
  readonly scope: Call["scope"];
  readonly callerSignal: Call["callerSignal"];
  readonly paths: Call["paths"];
  readonly protectedFiles: Call["protectedFiles"];
  readonly limits: Call["limits"];
  readonly compile: Call["compile"];
  readonly mask: Call["mask"];
  readonly onProgress: Call["onProgress"];
  readonly onExchange: Call["onExchange"];
  readonly idempotencyKey: Call["idempotencyKey"];
  readonly input: Call["input"];
  #signal: AbortSignal | undefined;
  #own: AbortController | undefined;

  constructor(call: Omit<Call, "signal">) {
    this.tool = call.tool;
    this.scope = call.scope;
    this.callerSignal = call.callerSignal;
    this.paths = call.paths;
    this.protectedFiles = call.protectedFiles;
    this.limits = call.limits;
    this.compile = call.compile;
    this.mask = call.mask;
    this.onProgress = call.onProgress;
    this.onExchange = call.onExchange;
    this.idempotencyKey = call.idempotencyKey;
    this.input = call.input;
  }

  /** Created on first use: signals are expensive, and text tools need none. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#own = new AbortController();
      const own = this.#own.signal;
      this.#signal = this.callerSignal === undefined ? own : AbortSignal.any([own, this.callerSignal]);
    }
    return this.#signal;
  }

  cancel(reason: unknown): void {
    // An executor may look at the signal only later.
    void this.signal;
    this.#own?.abort(reason);
  }
}
