import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../service-error.ts";
import type { SharedRuns } from "../../store/backend.ts";
import type { Store } from "../../store/store.ts";
import { interruptedResponse, recordedResponse } from "../response/recorded-response.ts";
import { errorResponse } from "../response/run-response.ts";
import { LiveRun, type RunResponse } from "./live-run.ts";

/** How long a run that was begun elsewhere may be missing in the history: its record is on the way, or its instance died. */
const APPEAR_MS = 10_000;
/** How long a database that cannot be reached is waited for. */
const OUTAGE_MS = 60_000;
const RETRY_MS = 500;

/**
 * A run that another instance executes, as if it were here: its events come from the history as soon as they are recorded.
 * Cancelling it only ends the following; `SharedRuns.requestCancel` cancels the run itself.
 */
export function followRemoteRun(store: Store, shared: SharedRuns, id: string): LiveRun {
  const live = new LiveRun(id);
  live.admit();
  void pollHistory(live, store, shared).then((response) => live.end(response));
  return live;
}

async function pollHistory(live: LiveRun, store: Store, shared: SharedRuns): Promise<RunResponse> {
  const { id, signal } = live;
  let news = Promise.withResolvers<void>();
  const onNews = () => news.resolve();
  signal.addEventListener("abort", onNews, { once: true });
  let stop: (() => void) | undefined;
  let last = 0;
  let lastSuccess = performance.now();
  let lastSeen = performance.now();
  try {
    while (!signal.aborted) {
      // Before reading, so that nothing that is written meanwhile is missed.
      news = Promise.withResolvers<void>();
      try {
        stop ??= await shared.watch(id, onNews);
        // The state first: when it has an end, the events are complete.
        const state = await shared.runState(id);
        for (const { seq, data } of await store.events(id, last)) {
          live.emit(JSON.parse(data));
          last = seq;
        }
        const response = state && recordedResponse(state);
        if (response) return response;
        lastSuccess = performance.now();
        if (state) lastSeen = lastSuccess;
        else if (lastSuccess - lastSeen > APPEAR_MS) return interruptedResponse();
      } catch (error) {
        if (performance.now() - lastSuccess > OUTAGE_MS) return unavailable(error as Error);
        await sleep(RETRY_MS);
        continue;
      }
      await news.promise;
    }
    return interruptedResponse();
  } finally {
    stop?.();
  }
}

function unavailable({ message }: Error): RunResponse {
  return errorResponse(new ServiceError("history_unavailable", `The run is on another instance: ${message}`));
}
