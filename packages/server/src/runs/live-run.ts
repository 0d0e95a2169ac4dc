import type { CouncilEvent } from "@mci-ts/council";
import type { Envelope, ErrorBody, ModelResponse } from "../http/api-schemas.ts";
import type { HttpError } from "../http/errors.ts";

/** The result of a run as an HTTP response, whatever the channel. */
export interface Outcome {
  readonly status: number;
  readonly body: ModelResponse | ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a run was cancelled. */
export type CancelReason = "client_gone" | "deleted" | "task_cancelled" | "daily_budget" | "shutdown";

/** One run in flight: its events so far, its watchers and its cancellation. */
export class LiveRun {
  readonly id: string;
  /** Resolves when the run has its slot; rejects when it gets none. */
  readonly admitted: Promise<void>;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  readonly #slot = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<Outcome>();
  readonly #controller = new AbortController();
  readonly #events: Envelope[] = [];
  readonly #watchers = new Set<(event: Envelope) => void>();
  #clients = 0;
  #cancelled: CancelReason | undefined;

  constructor(id: string) {
    this.id = id;
    this.outcome = this.#end.promise;
    this.admitted = this.#slot.promise;
    this.admitted.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So far. */
  get events(): readonly Envelope[] {
    return this.#events;
  }

  get cancelled(): CancelReason | undefined {
    return this.#cancelled;
  }

  /** The run has its slot. */
  admit(): void {
    this.#slot.resolve();
  }

  /** Ends the run; a run that never got its slot is rejected with the error. */
  fail(error: HttpError, outcome: Outcome): void {
    this.#slot.reject(error);
    this.end(outcome);
  }

  /** Aborts all calls. The first reason is kept. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason;
    this.#controller.abort(new Error(reason));
  }

  /** Adds a waiting client. The run is cancelled when the last one disconnects. */
  attach(client: AbortSignal): void {
    this.#clients++;
    const onGone = () => {
      this.#clients--;
      if (this.#clients === 0) this.cancel("client_gone");
    };
    if (client.aborted) onGone();
    else {
      client.addEventListener("abort", onGone, { once: true });
      void this.outcome.then(() => client.removeEventListener("abort", onGone));
    }
  }

  emit(event: Envelope): void {
    this.#events.push(event);
    for (const watcher of this.#watchers) watcher(event);
  }

  end(outcome: Outcome): void {
    this.#end.resolve(outcome);
  }

  /** Past events after `after`, then new ones until the run ends. */
  async *subscribe(after = 0): AsyncGenerator<Envelope> {
    const queue = this.#events.filter((event) => event.seq > after);
    let wake = Promise.withResolvers<void>();
    const watcher = (event: Envelope) => {
      queue.push(event);
      wake.resolve();
    };
    this.#watchers.add(watcher);
    let ended = false;
    void this.outcome.then(() => {
      ended = true;
      wake.resolve();
    });
    try {
      for (;;) {
        yield* queue.splice(0);
        if (ended && queue.length === 0) return;
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }
}

/** The engine's event in the API's envelope. */
export function envelope(id: string, { seq, at, ...body }: CouncilEvent): Envelope {
  return { v: 1, request_id: id, seq, ts: new Date(at).toISOString(), ...body };
}

/** The last event of every stream: the plain response. */
export function finalEnvelope(id: string, seq: number, at: number, { status, body }: Outcome): Envelope {
  const type = status < 400 ? "run.response" : "run.error";
  return { v: 1, request_id: id, seq, ts: new Date(at).toISOString(), type, status, body };
}
