import type { Outcome } from "@mci-ts/council";
import { z } from "zod";
import { CalibrationReport } from "../../api/calibration-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { calibrationReport } from "../../runs/verdicts/calibration-report.ts";
import { readHistory } from "../../store/read-history.ts";

const query = z.object({
  target: z.coerce
    .number()
    .gt(0.5)
    .lt(1)
    .default(0.95)
    .describe("The chance of being right that a k is chosen for. Default 0.95."),
});

/** Whether votes are right as often as they say, by model, strategy and kind of answer. */
export const calibration = defineRoute({
  method: "get",
  path: "/calibration",
  summary: "Compare what votes stated with verdicts on their answers",
  query,
  responses: {
    200: success("Outcomes, by group.", CalibrationReport),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, { store, config }) {
    const { target } = parse(query, c.req.query(), "query");
    const stored = await readHistory(store.measurements("outcome"));
    const outcomes = stored.map(({ data }) => JSON.parse(data) as Outcome);
    const all = [...(config.voting.outcomes ?? []), ...outcomes];
    return Response.json(calibrationReport(all, target) satisfies CalibrationReport);
  },
});
