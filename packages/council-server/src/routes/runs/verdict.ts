import { z } from "zod";
import { defineRoute, failure, success } from "../../http/route.ts";
import { outcomeOf, Verdict } from "../../runs/verdicts/verdict.ts";
import { findRun } from "../../store/read-history.ts";

/** A person says whether a run's answer is right: one more outcome for the confidence of such votes. A later verdict replaces it. */
export const verdict = defineRoute({
  method: "post",
  path: "/runs/:id/verdict",
  summary: "Say whether the answer of a run is right",
  body: Verdict,
  responses: {
    200: success(
      "Recorded.",
      z.strictObject({
        id: z.string(),
        right: z.boolean(),
        outcomes: z.int().describe("Outcomes of such votes so far; a confidence is stated from 20 on."),
      }),
    ),
    400: failure("The run has no votes that a verdict could be about."),
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service, body) {
    const run = await findRun(service.store, c.req.param("id") ?? "");
    const outcomes = service.statistics.addOutcome(run.id, outcomeOf(run, body));
    await service.store.commit();
    return Response.json({ id: run.id, right: body.right, outcomes });
  },
});
