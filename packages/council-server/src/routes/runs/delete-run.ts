import { z } from "zod";
import { defineRoute, failure, success } from "../../http/route.ts";
import { cancelElsewhere } from "../../runs/live/cancel-elsewhere.ts";
import { readHistory, runNotFound } from "../../store/read-history.ts";

/** Cancels a run in flight with all its calls; a finished run is removed from the history. */
export const deleteRun = defineRoute({
  method: "delete",
  path: "/runs/:id",
  summary: "Cancel a run in flight, or delete a finished one",
  responses: {
    200: success("Done.", z.strictObject({ id: z.string(), status: z.enum(["cancelled", "deleted"]) })),
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    const id = c.req.param("id") ?? "";
    const live = service.live(id);
    if (live) {
      live.cancel("deleted");
      await live.response;
      return Response.json({ id, status: "cancelled" });
    }
    if (await cancelElsewhere(service.store, id)) return Response.json({ id, status: "cancelled" });
    if (await readHistory(service.store.remove(id))) return Response.json({ id, status: "deleted" });
    throw runNotFound(id);
  },
});
