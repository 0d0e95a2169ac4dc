import type { Run } from "@mci-ts/council-server/api";
import { ApiError, getJson, send } from "../../../api/http.ts";
import type { Pause, Pauses } from "./pause.ts";

export interface AskRunOptions {
  readonly pauses: Pauses;
  /** Nothing more is sent or waited for; the run itself goes on. */
  readonly signal: AbortSignal;
  /** Resolves soon after the run has ended, or after the time; a reason to look. */
  readonly nextLook: (runId: string, look: number, signal: AbortSignal) => Promise<void>;
  readonly onStart: (runId: string) => void;
  readonly onProgress: (replies: number) => void;
}

/** Runs that were lost with a service that stopped, before it is said. */
const MAX_LOST = 3;

/** What holds for a moment, and not for this question. */
const TEMPORARY = new Set([
  "rate_limited",
  "overloaded",
  "daily_budget_exhausted",
  "shutting_down",
  "history_unavailable",
  "issuer_unavailable",
  "not_recorded",
  "offline",
]);

/**
 * Asks one question in the background and returns its run when it is over. The key makes it one run, however often it is sent: after a
 * reload, from a second tab, or because the answer to the request was lost. What the service asks to wait for is waited for.
 */
export async function askRun(request: object, key: string, options: AskRunOptions): Promise<Run> {
  for (let lost = 0; ; lost++) {
    const { everything, sending } = options.pauses;
    const id = await retried(options, [everything, sending], () => submit(request, key, options.signal));
    options.onStart(id);
    const run = await followRun(id, options);
    if (run && !isLost(run)) return run;
    if (lost >= MAX_LOST)
      throw new ApiError(
        500,
        "interrupted",
        "The service stopped while the run was in flight, several times.",
      );
  }
}

async function submit(request: object, key: string, signal: AbortSignal): Promise<string> {
  const response = await send("mcp/model", {
    body: request,
    headers: { prefer: "respond-async", "idempotency-key": key },
    signal,
  });
  return ((await response.json()) as { id: string }).id;
}

/** The run when it is over; undefined where the service does not know it any more. */
export async function followRun(id: string, options: AskRunOptions): Promise<Run | undefined> {
  for (let look = 0; ; look++) {
    await options.nextLook(id, look, options.signal);
    const run = await retried(options, [options.pauses.everything], () => readRun(id, options.signal));
    if (run?.status !== "running") return run;
    options.onProgress(run.samples.length);
  }
}

async function readRun(id: string, signal: AbortSignal): Promise<Run | undefined> {
  try {
    return await getJson<Run>(`runs/${encodeURIComponent(id)}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** It ended for a reason that has nothing to do with the question: the same key starts another. */
function isLost({ status, response }: Run): boolean {
  if (status === "interrupted") return true;
  const code = response && "error" in response ? response.error.code : undefined;
  return code !== undefined && (TEMPORARY.has(code) || code === "interrupted");
}

const OFFLINE_MS = [1000, 2000, 5000, 10_000, 30_000];
const DEFAULT_RETRY_MS = 5000;

async function retried<T>(
  { pauses, signal }: AskRunOptions,
  awaited: readonly Pause[],
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    while (awaited.some(({ wait }) => wait)) for (const pause of awaited) await pause.over(signal);
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || !(TEMPORARY.has(error.code) || error.status === 401)) throw error;
      // A spent budget, or a service with too much to do, still says how runs ended.
      const isOfAll = awaited.length === 1 || OF_ALL.has(error.code) || error.status === 401;
      pauses[isOfAll ? "everything" : "sending"].hold(reasonOf(error), delayOf(error, failures));
    }
  }
}

const OF_ALL = new Set(["offline", "rate_limited"]);

function delayOf({ status, retryAfterSeconds }: ApiError, failures: number): number {
  if (retryAfterSeconds !== undefined) return Math.max(1, retryAfterSeconds) * 1000;
  return status === 0 ? OFFLINE_MS[Math.min(failures, OFFLINE_MS.length - 1)]! : DEFAULT_RETRY_MS;
}

function reasonOf({ code, status, message }: ApiError): string {
  if (status === 401) return "The service asks for the token";
  return code === "offline" ? "The service cannot be reached" : message;
}
