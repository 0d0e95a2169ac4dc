import { McpError } from "./errors.ts";

/** The longest delay a timer can hold; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` with a signal that aborts after `ms`, or when the caller's own does. Waits for the work to settle even
 * then: it has to clean up. The timer keeps the process alive, which what it waits for may not.
 */
export async function withTimeout<T>(
  ms: number,
  caller: AbortSignal | undefined,
  timeoutError: string | { readonly message: string; readonly hint?: string },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (caller?.aborted) throw aborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(aborted());
  const { message, hint } = typeof timeoutError === "string" ? { message: timeoutError } : timeoutError;
  const onTimeout = () => controller.abort(new McpError("timeout", message, { hint }));
  const timer = setTimeout(onTimeout, Math.min(ms, MAX_TIMER_MS));
  caller?.addEventListener("abort", onAbort, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", onAbort);
  }
}

/** Settles as `promise` does, but rejects as soon as the signal aborts. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason instanceof McpError ? signal.reason : aborted());
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, over]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function aborted(): McpError {
  return new McpError("aborted", "The call was cancelled.");
}
