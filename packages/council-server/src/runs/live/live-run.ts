import type { CouncilEvent } from "@mci-ts/council";
import type { ErrorBody, ModelResponse } from "../../api/api-schemas.ts";
import type { RunEvent } from "../../api/event-schemas.ts";
import type { ServiceError } from "../../service-error.ts";

/** The response to a run, whatever the channel: its result, or a coded error. */
export interface RunResponse {
  readonly body: ModelResponse | ErrorBody;
  /** When it is worth another attempt. Default: unknown. */
  readonly retryAfterSeconds?: number;
  /** How old a response is that comes from an earlier run. */
  readonly ageSeconds?: number;
}

/** Why a run was cancelled. */
export type CancelReason =
  | "client_gone"
  | "not_recorded"
  | "deleted"
  | "task_cancelled"
  | "daily_budget"
  | "subject_budget"
  | "shutdown";

/** One run in flight: its events so far, its watchers and its cancellation. */
export class LiveRun {
  readonly id: string;
  /** Resolves when the run has its slot; rejects when it gets none. */
  readonly admitted: Promise<void>;
  /** Never rejects. */
  readonly response: Promise<RunResponse>;
  readonly #slot = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<RunResponse>();
  readonly #controller = new AbortController();
  readonly #events: RunEvent[] = [];
  readonly #watchers = new Set<(event: RunEvent) => void>();
  #clients = 0;
  #cancelled: CancelReason | undefined;

  /** Whose run it is, behind an issuer. */
  readonly subject: string | undefined;

  constructor(id: string, subject?: string) {
    this.id = id;
    this.subject = subject;
    this.response = this.#end.promise;
    this.admitted = this.#slot.promise;
    this.admitted.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So far. */
  get events(): readonly RunEvent[] {
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
  fail(error: ServiceError, response: RunResponse): void {
    this.#slot.reject(error);
    this.end(response);
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
      void this.response.then(() => client.removeEventListener("abort", onGone));
    }
  }

  emit(event: RunEvent): void {
    this.#events.push(event);
    for (const watcher of this.#watchers) watcher(event);
  }

  end(response: RunResponse): void {
    this.#end.resolve(response);
  }

  /** Past events after `after`, then new ones until the run ends. */
  async *subscribe(after = 0): AsyncGenerator<RunEvent> {
    const queue = this.#events.filter((event) => event.seq > after);
    let wake = Promise.withResolvers<void>();
    const watcher = (event: RunEvent) => {
      queue.push(event);
      wake.resolve();
    };
    this.#watchers.add(watcher);
    let ended = false;
    void this.response.then(() => {
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

/** The engine's event as the API sends it. */
export function toRunEvent(id: string, { seq, at, ...body }: CouncilEvent): RunEvent {
  return { v: 1, request_id: id, seq, ts: new Date(at).toISOString(), ...body };
}
