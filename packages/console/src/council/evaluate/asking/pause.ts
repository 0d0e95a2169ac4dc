/** Why nothing is sent at the moment, and until when. */
export interface Wait {
  readonly reason: string;
  /** When it is tried again. */
  readonly until: number;
}

/** What the service asked to wait for holds up every question, not only the one that it answered. */
export class Pause {
  readonly #onChange: () => void;
  #wait: Wait | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get wait(): Wait | undefined {
    return this.#wait;
  }

  /** Nothing goes on for so long. A longer wait replaces a shorter one. */
  hold(reason: string, ms: number): void {
    const until = Date.now() + ms;
    if (this.#wait && this.#wait.until >= until) return;
    this.#wait = { reason, until };
    this.#setTimer();
    this.#onChange();
  }

  /** Resolves when there is nothing to wait for. */
  async over(signal: AbortSignal): Promise<void> {
    while (this.#wait && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    }
    signal.throwIfAborted();
  }

  /** Goes on at once. */
  end(): void {
    clearTimeout(this.#timer);
    this.#wait = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    this.#onChange();
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    // A timer holds at most 24 days, and a computer that slept is late.
    const left = Math.min(this.#wait!.until - Date.now(), 60_000);
    this.#timer = setTimeout(
      () => (this.#wait && this.#wait.until > Date.now() ? this.#setTimer() : this.end()),
      Math.max(0, left),
    );
  }
}

/** What is held up: everything, where the service cannot be asked at all; or only what would cost something. */
export interface Pauses {
  readonly everything: Pause;
  readonly sending: Pause;
}
