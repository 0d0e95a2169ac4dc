import { ACT, TOOLS } from "@mci-ts/council";
import { z } from "zod";
import { RUN_STATUSES, RunPage, type RunSummary } from "../api/api-schemas.ts";
import { parse } from "../http/parse.ts";
import { defineRoute, failure } from "../http/route.ts";
import { ServiceError } from "../service-error.ts";
import { readHistory } from "../store/read-history.ts";

const query = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Runs per page. Default 20."),
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
});

/** The history, newest first. */
export const runs = defineRoute({
  method: "get",
  path: "/runs",
  summary: "List runs, newest first",
  query,
  responses: {
    200: { description: "One page of the history.", content: { "application/json": RunPage } },
    400: failure("The query is invalid."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    const { limit, cursor, status, tool, session, q } = parse(query, c.req.query(), "query");
    const before = cursor === undefined ? undefined : decode(cursor);
    // One extra row shows whether there is a next page.
    const found = await readHistory(
      service.store.list({ limit: limit + 1, status, tool, session, text: q, before }),
    );
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return Response.json({ runs: page, next_cursor: last ? encode(last) : null } satisfies RunPage);
  },
});

function encode({ started_at, id }: RunSummary): string {
  return Buffer.from(`${Date.parse(started_at)}/${id}`).toString("base64url");
}

function decode(cursor: string): { at: number; id: string } {
  const [, at, id] = /^(\d+)\/(.+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (at !== undefined && id !== undefined && Number.isSafeInteger(Number(at))) return { at: Number(at), id };
  const message = "query.cursor must be a next_cursor returned by this service";
  throw new ServiceError("invalid_request", message, { details: [{ path: "query.cursor", message }] });
}
