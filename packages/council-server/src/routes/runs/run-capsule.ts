import { Capsule } from "../../api/capsule-schema.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { finalEvent } from "../../http/run-status.ts";
import { mapTexts } from "../../providers/errors/redact.ts";
import { readCalls } from "../../runs/calls/read-calls.ts";
import { recordedResponse } from "../../runs/response/recorded-response.ts";
import { readVerdict } from "../../runs/verdicts/verdict.ts";
import { findRun, readHistory } from "../../store/read-history.ts";
import { samplesOf, votesOf } from "../../store/run-projection.ts";
import { VERSION } from "../../version.ts";

/** All that the history has of a run, in one file: it can be replayed anywhere. */
export const runCapsule = defineRoute({
  method: "get",
  path: "/runs/:id/capsule",
  summary: "Export all that the history has of a run",
  responses: {
    200: success("The run, its events and its calls.", Capsule),
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, { store, models }) {
    const run = await findRun(store, c.req.param("id") ?? "");
    const events = (await readHistory(store.events(run.id, 0))).map(({ data }) => JSON.parse(data));
    const response = recordedResponse(run);
    const seq = (events.at(-1)?.seq ?? 0) + 1;
    const final = response && finalEvent(run.id, seq, Date.parse(run.ended_at ?? run.started_at), response);
    const capsule = {
      capsule: 1 as const,
      version: VERSION,
      exported_at: new Date().toISOString(),
      run: {
        ...run,
        samples: samplesOf(events),
        votes: votesOf(events),
        verdict: await readVerdict(store, run.id),
      },
      events: [...events, ...(final ? [final] : [])],
      calls: await readCalls(store, run.id),
    };
    // A provider may have repeated our key anywhere, and a file is passed on.
    return Response.json(mapTexts(capsule satisfies Capsule, models.redact));
  },
});
