import { budgetSchema } from "@mci-ts/council";
import { z } from "zod";
import { Answer, DecidedBy, ErrorBody, ModelResponse, PeerRanking, Quality, Routing } from "./api-schemas.ts";
import type { ApiType } from "./api-type.ts";

/** The events of a run, in the order of its stages. A new one stands here and in the engine's `events.ts`; the types are compared. */

const call = z.int().describe("The number of the model call within the run.");
const number = z.int().describe("The number of the tool call within the run.");
const seat = z.int();

export const RunEvent = z
  .discriminatedUnion("type", [
    event("run.started", { prompt_chars: z.int(), budget: budgetSchema }),
    event("run.routed", Routing.shape),
    event("run.stopped", {
      reason: z
        .enum(["max_calls", "max_tokens", "max_usd", "deadline_ms", "cancelled"])
        .describe("What ran out. Calls in flight are aborted; max_calls only prevents new ones."),
    }),
    event("run.finished", { tool: z.string(), status: Quality }),
    event("run.failed", { code: z.string(), message: z.string() }),
    event("call.started", { call, purpose: z.string(), model: z.string(), temperature: z.number() }),
    event("call.retried", { call, attempt: z.int(), delay_ms: z.number(), error: z.string() }),
    event("call.finished", {
      call,
      finish_reason: z.string(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      latency_ms: z.number(),
      cost_usd: z.number().nullable().describe("null where neither the provider nor a price list says."),
    }),
    event("call.failed", { call, error: z.string() }),
    event("call.aborted", { call }),
    event("sample.accepted", { call, answer: z.string().describe("The beginning of the answer.") }),
    event("sample.flagged", {
      ...{ call, rule: z.string(), reason: z.string() },
      tool: z.string().optional().describe("The tool whose call was flagged."),
    }),
    event("vote.started", { k: z.int(), options: z.array(z.string()) }),
    event("vote.extra", { kind: z.enum(["hedge", "speculation"]) }),
    event("answers.compared", { a: z.string(), b: z.string(), same: z.boolean(), cached: z.boolean() }),
    event("vote.counted", {
      call,
      answer: z.string(),
      leader: z.string(),
      leader_votes: z.int(),
      runner_up_votes: z.int(),
      need: z.int().describe("Votes still needed if all went to the leader; 0 decides."),
    }),
    event("vote.decided", {
      winner: z.string().describe("What was counted, as a text."),
      answer: Answer,
      votes: z.int(),
      agreement: z.number(),
      confidence: z.number().optional(),
    }),
    event("vote.undecided", { reason: z.string(), leader: z.string().nullable() }),
    event("vote.escalated", { to: z.string() }),
    event("seat.proposed", {
      ...{ seat, call, model: z.string(), answer: Answer },
      proposal: z.string().describe("The beginning of the text."),
    }),
    event("seat.failed", { seat, error: z.string() }),
    event("seat.ranked", { seat, order: z.array(seat).describe("The other seats, the best first.") }),
    event("ranking.counted", PeerRanking.pick({ scores: true, agrees_with_judge: true }).shape),
    event("judge.started", { model: z.string(), proposals: z.int() }),
    event("judge.decided", { model: z.string(), red_flag: z.boolean(), answer: Answer }),
    event("judge.failed", { model: z.string(), error: z.string() }),
    event("decomposition.accepted", { call, total_steps: z.int() }),
    event("tool.started", {
      ...{ number, tool: z.string(), call },
      input: z.string().describe("The beginning of its JSON."),
    }),
    event("tool.shared", { number, tool: z.string(), call }),
    event("tool.finished", {
      ...{ number, tool: z.string(), is_error: z.boolean(), latency_ms: z.number() },
      result: z.string().describe("The beginning of the result."),
    }),
    event("action.decided", { how: DecidedBy, action: z.string(), agreement: z.number().nullable() }),
    event("run.response", { status: z.int(), body: ModelResponse }),
    event("run.error", { status: z.int(), body: ErrorBody }),
  ])
  .describe("The last event is run.response or run.error, with the body of the plain response.")
  .meta({ id: "Event" });
export type RunEvent = ApiType<typeof RunEvent>;

function event<const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({
    v: z.literal(1),
    request_id: z.string(),
    seq: z.int().describe("From 1, without gaps."),
    ts: z.iso.datetime(),
    type: z.literal(type),
    ...shape,
  });
}
