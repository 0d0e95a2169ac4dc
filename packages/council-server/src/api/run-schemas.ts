import { z } from "zod";
import { ErrorBody, ModelRequest, ModelResponse } from "./api-schemas.ts";
import type { ApiType } from "./api-type.ts";

/* Schemas of runs as the history has them. */

/** `interrupted`: the process ended before the run did. */
export const RUN_STATUSES = [
  "running",
  "complete",
  "partial",
  "degraded",
  "failed",
  "cancelled",
  "interrupted",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** One entry of the list of runs. */
export const RunSummary = z.strictObject({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  channel: z
    .enum(["http", "mcp", "chat", "responses", "messages"])
    .describe("The interface that the request came through."),
  tool: z.string().nullable(),
  model: z.string().nullable(),
  prompt: z.string().describe("In a list the beginning of it."),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  calls: z.int().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  cost_usd: z.number().nullable(),
  cost_source: z.string().nullable(),
  session: z.string().nullable().describe("Steps of one agent have the same; null for other runs."),
  subject: z.string().optional().describe("Whose run it is, behind an issuer."),
  answer: z
    .string()
    .nullable()
    .describe("What was decided, in one line; the beginning of it. null: nothing."),
});
export type RunSummary = ApiType<typeof RunSummary>;

export const RunPage = z
  .strictObject({
    runs: z.array(RunSummary),
    next_cursor: z.string().nullable().describe("Pass as `cursor` for the next page; null on the last one."),
    total: z.int().optional().describe("Runs that match, on all pages. Only with `total=true`."),
  })
  .meta({ id: "RunPage" });
export type RunPage = ApiType<typeof RunPage>;

/** One call of a run. */
const RunSample = z.strictObject({
  call: z.int(),
  purpose: z.string().nullable(),
  model: z.string().nullable(),
  temperature: z.number().nullable(),
  finish_reason: z.string().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  latency_ms: z.number().nullable(),
  answer: z.string().nullable(),
  red_flag: z.string().nullable(),
  error: z.string().nullable(),
});
export type RunSample = ApiType<typeof RunSample>;

const RunVote = z.strictObject({
  call: z.int(),
  answer: z.string(),
  leader: z.string(),
  leader_votes: z.int(),
  runner_up_votes: z.int(),
});
export type RunVote = ApiType<typeof RunVote>;

/** A request in the history; of a step of an agent also what the agent sent. */
const RecordedRequest = ModelRequest.extend({
  act: z
    .strictObject({
      protocol: z.string(),
      model: z.string().describe("As the agent named it."),
      bytes: z.int(),
      body: z.unknown().optional().describe("Absent where the conversation is too long for the history."),
    })
    .optional(),
}).meta({ id: "RecordedRequest" });

export const Run = RunSummary.extend({
  request: RecordedRequest,
  http_status: z.int().nullable(),
  response: z.union([ModelResponse, ErrorBody]).nullable().describe("null until the run has ended."),
  samples: z.array(RunSample),
  votes: z.array(RunVote),
  verdict: z
    .strictObject({ right: z.boolean(), by: z.enum(["person", "check"]) })
    .nullable()
    .describe("What was said about the answer with POST /runs/:id/verdict."),
}).meta({ id: "Run" });
export type Run = ApiType<typeof Run>;
