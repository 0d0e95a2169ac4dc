import { withTimeout } from "@mci-ts/http-guard";
import { z } from "zod";
import { HttpError } from "../http/errors.ts";
import { readHistory, runNotFound } from "../http/history.ts";
import { defineRoute, failure } from "../http/route.ts";
import { followRemoteRun } from "../runs/remote-run.ts";
import type { CouncilService } from "../service.ts";

/** Cancels a run in flight with all its calls; a finished run is removed from the history. */
export const deleteRun = defineRoute({
  method: "delete",
  path: "/runs/:id",
  summary: "Cancel a run in flight, or delete a finished one",
  responses: {
    200: {
      description: "Done.",
      content: {
        "application/json": z.strictObject({ id: z.string(), status: z.enum(["cancelled", "deleted"]) }),
      },
    },
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    const id = c.req.param("id") ?? "";
    const live = service.live(id);
    if (live) {
      live.cancel("deleted");
      await live.outcome;
      return Response.json({ id, status: "cancelled" });
    }
    if (await cancelElsewhere(service, id)) return Response.json({ id, status: "cancelled" });
    if (await readHistory(service.store.remove(id))) return Response.json({ id, status: "deleted" });
    throw runNotFound(id);
  },
});

const CANCEL_TIMEOUT_MS = 10_000;

/** False: no other instance executes it. */
async function cancelElsewhere({ store }: CouncilService, id: string): Promise<boolean> {
  const { shared } = store;
  if (!shared || (await readHistory(shared.runState(id)))?.status !== "running") return false;
  const remote = followRemoteRun(store, shared, id);
  try {
    await readHistory(shared.requestCancel(id));
    await withTimeout(CANCEL_TIMEOUT_MS, remote.outcome, () => {
      throw new HttpError(
        "history_unavailable",
        "The instance that executes the run has not confirmed the cancellation; try again",
      );
    });
  } finally {
    remote.cancel("client_gone");
  }
  return true;
}
