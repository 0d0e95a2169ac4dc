/** The longest delay a timer can hold; with a longer one it fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Makes the error that a signal aborts with. */
export interface AbortReasons {
  /** The time is up. */
  readonly timeout: () => Error;
  /** The caller cancelled. */
  readonly aborted: () => Error;
}

/** One clock for everything a call does. */
export interface Deadline {
  /** Aborts at the deadline and when the caller cancels, with one of the reasons. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  remaining(): number;
  /** Must be called when the work is done: the timer keeps the process alive. */
  stop(): void;
}

export function startDeadline(
  ms: number,
  caller: AbortSignal | undefined,
  { timeout, aborted }: AbortReasons,
): Deadline {
  const controller = new AbortController();
  const end = performance.now() + ms;
  const onAbort = () => controller.abort(aborted());
  const timer = setTimeout(() => controller.abort(timeout()), Math.min(ms, MAX_TIMER_MS));
  if (caller?.aborted) onAbort();
  else caller?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    remaining: () => end - performance.now(),
    stop() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    },
  };
}

/** Runs `work` under a deadline. Waits for the work to settle even after that: it has to clean up. */
export async function withDeadline<T>(
  ms: number,
  caller: AbortSignal | undefined,
  reasons: AbortReasons,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (caller?.aborted) throw reasons.aborted();
  const { signal, stop } = startDeadline(ms, caller, reasons);
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    stop();
  }
}

/** Settles as `promise` does, but rejects with the signal's reason as soon as it aborts. The work itself goes on. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Rejects with the signal's reason if it aborts first. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await raceAbort(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
