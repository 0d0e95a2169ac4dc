import { ACT, TOOLS } from "@mci-ts/council";
import { z } from "zod";
import { RUN_STATUSES, RunPage, type RunSummary } from "../../api/run-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { ServiceError } from "../../service-error.ts";
import { readHistory } from "../../store/read-history.ts";
import { RUN_SORTS, type RunSort } from "../../store/records.ts";

const moment = z.iso.datetime({ offset: true }).optional();

const query = z.object({
  limit: wholeNumber(1, 100).default(20).describe("Runs per page. Default 20."),
  cursor: z.string().optional().describe("`next_cursor` of the previous page."),
  status: z.enum(RUN_STATUSES).optional().describe("Only runs with this status."),
  tool: z
    .enum([...TOOLS, ACT])
    .optional()
    .describe("Only runs of this tool."),
  session: z.string().max(200).optional().describe("Only the steps of one agent."),
  q: z
    .string()
    .max(500)
    .optional()
    .describe(
      "Only runs that are over and whose prompt or result has all of these words, or words that begin with them.",
    ),
  since: moment.describe("Only runs that started then or later."),
  until: moment.describe("Only runs that started before."),
  sort: z
    .enum(RUN_SORTS)
    .default("newest")
    .describe("The order; cost and duration begin with the most. Default newest."),
  total: z
    .enum(["true", "false"])
    .default("false")
    .describe("true also counts the runs that match. Default false."),
});

/** The history, newest first unless asked otherwise. */
export const runs = defineRoute({
  method: "get",
  path: "/runs",
  summary: "List runs, newest first",
  query,
  responses: {
    200: success("One page of the history.", RunPage),
    400: failure("The query is invalid."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    const { limit, cursor, status, tool, session, q, sort, total, ...range } = parse(
      query,
      c.req.query(),
      "query",
    );
    const before = cursor === undefined ? undefined : decode(cursor, sort);
    const [since, until] = [range.since, range.until].map((time) =>
      time === undefined ? undefined : Date.parse(time),
    );
    const filter = { status, tool, session, text: q, since, until };
    // One extra row shows whether there is a next page.
    const found = await readHistory(service.store.list({ limit: limit + 1, ...filter, sort, before }));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return Response.json({
      runs: page,
      next_cursor: last ? encode(last, sort) : null,
      ...(total === "true" ? { total: await readHistory(service.store.count({ limit, ...filter })) } : {}),
    } satisfies RunPage);
  },
});

/** Where a page ends: the sort, what it sorts by, and the run. */
function encode(run: RunSummary, sort: RunSort): string {
  return Buffer.from(`${sort === "newest" ? "" : `${sort}/`}${keyOf(run, sort)}/${run.id}`).toString(
    "base64url",
  );
}

function keyOf({ started_at, ended_at, cost_usd }: RunSummary, sort: RunSort): number {
  if (sort === "cost") return cost_usd ?? -1;
  if (sort === "duration") return ended_at === null ? -1 : Date.parse(ended_at) - Date.parse(started_at);
  return Date.parse(started_at);
}

function decode(cursor: string, sort: RunSort): { at: number; id: string } {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, order = "newest", at, id] = /^(?:([a-z]+)\/)?(-?[\d.e+-]+)\/(.+)$/.exec(text) ?? [];
  if (order === sort && at !== undefined && id !== undefined && isKey(Number(at)))
    return { at: Number(at), id };
  const message = "query.cursor must be a next_cursor returned by this service for the same sort";
  throw new ServiceError("invalid_request", message, { details: [{ path: "query.cursor", message }] });
}

const isKey = (value: number) => Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
