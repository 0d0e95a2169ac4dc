import { withTimeout } from "@mci-ts/http-guard";
import { ServiceError } from "../../service-error.ts";
import { readHistory } from "../../store/read-history.ts";
import type { Store } from "../../store/store.ts";
import { followRemoteRun } from "./remote-run.ts";

const CANCEL_TIMEOUT_MS = 10_000;

/** Cancels a run of another instance and waits until it has ended. False: no other instance executes it. */
export async function cancelElsewhere(store: Store, id: string): Promise<boolean> {
  const { shared } = store;
  if (!shared || (await readHistory(shared.runState(id)))?.status !== "running") return false;
  const remote = followRemoteRun(store, shared, id);
  try {
    await readHistory(shared.requestCancel(id));
    await withTimeout(CANCEL_TIMEOUT_MS, remote.response, () => {
      throw new ServiceError(
        "history_unavailable",
        "The instance that executes the run has not confirmed the cancellation; try again",
      );
    });
  } finally {
    remote.cancel("client_gone");
  }
  return true;
}
