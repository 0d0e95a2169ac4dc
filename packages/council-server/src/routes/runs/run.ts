import { Run } from "../../api/run-schemas.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { readVerdict } from "../../runs/verdicts/verdict.ts";
import { findRun, readHistory } from "../../store/read-history.ts";
import { samplesOf, votesOf } from "../../store/run-projection.ts";

/** One run: its request, samples, votes and response. */
export const run = defineRoute({
  method: "get",
  path: "/runs/:id",
  summary: "Show one run with its samples and votes",
  responses: {
    200: success("The run.", Run),
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    const { store } = service;
    const stored = await findRun(store, c.req.param("id") ?? "");
    const events = (await readHistory(store.events(stored.id, 0))).map(({ data }) => JSON.parse(data));
    const verdict = await readVerdict(store, stored.id);
    return Response.json({
      ...{ ...stored, samples: samplesOf(events), votes: votesOf(events), verdict },
    } satisfies Run);
  },
});
