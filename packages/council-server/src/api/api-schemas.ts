import { ACT, councilRequestSchema, optionalField, TOOLS } from "@mci-ts/council";
import { z } from "zod";
import { RunConfig } from "../runs/run-config.ts";
import { aliases } from "./aliases.ts";
import type { ApiType } from "./api-type.ts";

/*
 * Schemas of requests and responses. Types of the service and of the console are inferred from them, `/openapi.json` is generated
 * from them, and `engine-types.test.ts` compares them with the types of the engine. The history of runs is in `run-schemas.ts`, their
 * events are in `event-schemas.ts`, tasks in `task-schemas.ts`; `types.ts` lists what the console may see.
 */

export const ModelRequest = councilRequestSchema
  .extend({
    prompt: councilRequestSchema.shape.prompt.describe(
      "The question or the task. `query` is another name for it.",
    ),
    config: optionalField("Overrides of the defaults.", RunConfig),
  })
  .meta({ id: "ModelRequest" })
  .register(aliases, { query: "prompt" });
export type ModelRequest = z.output<typeof ModelRequest>;

export const Step = z.looseObject({
  id: z.int(),
  action: z.string(),
  input: z.string().optional(),
  output: z.string().optional(),
  dependencies: z.array(z.int()),
});

export const Decomposition = z
  .looseObject({ task: z.string(), total_steps: z.int(), steps: z.array(Step) })
  .meta({ id: "Decomposition" });
export type Decomposition = ApiType<typeof Decomposition>;

const Usage = z
  .looseObject({
    calls: z.int().describe("Model calls, including aborted ones."),
    input_tokens: z.int(),
    output_tokens: z.int(),
    aborted_calls: z.int(),
    cost_usd: z.number().nullable().describe("null when the cost of at least one call is unknown."),
    cost_source: z.enum(["provider", "prices", "mixed", "unknown", "simulated"]),
  })
  .meta({ id: "Usage" });

export const Answer = z.union([z.string(), z.record(z.string(), z.unknown())]).nullable();

export const Quality = z.enum(["complete", "partial", "degraded"]);

export const Routing = z.looseObject({
  tool: z.string(),
  by: z.enum(["intent", "inference"]),
  rule: z.string(),
});

export const PeerRanking = z.looseObject({
  scores: z.array(z.looseObject({ seat: z.int(), points: z.int(), share: z.number() })),
  rankings: z.array(z.looseObject({ seat: z.int(), order: z.array(z.int()) })),
  agrees_with_judge: z.boolean().nullable(),
});

/** How an action was decided. */
export const DecidedBy = z
  .enum(["vote", "similarity", "single", "leader", "ask"])
  .describe(
    "vote: ahead by k. similarity: ahead by k but for the words of free text. single: one call, not voted on. leader: undecided, most votes. ask: undecided, the user is asked.",
  );

const Voting = z.looseObject({
  k: z.int(),
  votes: z.record(z.string(), z.int()),
  samples: z.int(),
  red_flagged: z.int(),
  transport_errors: z.int(),
  converged: z.boolean(),
  agreement: z
    .number()
    .describe("The leader's share of the valid votes: how far samples agree, not how likely they are right."),
  effective_votes: optionalField(
    "How many independent votes the valid ones are worth. Absent until enough outcomes were measured.",
    z.number(),
  ),
  confidence: optionalField(
    "Chance that the leader is right, from measured outcomes. Absent until there are enough.",
    z.number(),
  ),
  confidence_interval: optionalField("95 % interval of `confidence`.", z.tuple([z.number(), z.number()])),
  basis: optionalField(
    "What outcomes of such votes are collected under, and how many there are.",
    z.looseObject({
      model: z.string(),
      strategy: z.string(),
      kind: z.string(),
      outcomes: z.int(),
      all_kinds: optionalField(
        "Whether the outcomes are of all kinds of answers, because there are fewer than 20 of this one. Default false.",
        z.boolean(),
      ),
    }),
  ),
  undecided: optionalField("Why the vote stopped without a winner.", z.string()),
  clusters: z
    .array(
      z.looseObject({
        answer: z.string(),
        votes: z.int(),
        members: z.array(z.looseObject({ text: z.string(), count: z.int() })),
      }),
    )
    .describe("Votes that were counted as one, with their wordings; most votes first."),
  hedged: z.int().describe("Extra calls by the straggler hedge."),
  speculated: z.int().describe("Extra calls by speculation."),
  wasted: z.int().describe("Calls in flight when the vote ended."),
});

const EscalationStep = z.looseObject({
  to: z.string(),
  because: z
    .string()
    .describe("Why the vote before had no winner; unknown_answer: it says that the answer is unknown."),
  before: z
    .looseObject({ model: z.string(), votes: z.record(z.string(), z.int()) })
    .describe("The vote before."),
  model: optionalField("Of a further vote: who voted.", z.string()),
  converged: z.boolean(),
  undecided: optionalField("Why a further vote had no winner.", z.string()),
  error: optionalField("Why this step brought nothing.", z.string()),
  calls: z.int().describe("Calls of this step."),
  cost_usd: z
    .number()
    .nullable()
    .describe("What they cost; null where the cost of any call so far is unknown."),
});

const ActionSummary = z.looseObject({
  decided: DecidedBy,
  calls: z
    .array(z.looseObject({ name: z.string(), arguments: z.string() }))
    .describe("The tools that are called; none: a reply to the user."),
  read_only: z.boolean(),
  agreement: z
    .number()
    .nullable()
    .describe(
      "Mean similarity of the taken sample's free text to that of the others; null where it is equal.",
    ),
});

export const Metadata = z
  .looseObject({
    tool_used: z.enum([...TOOLS, ACT] as readonly string[]),
    request_id: z.string(),
    timestamp: z.iso.datetime(),
    performance: z.looseObject({ total_time_seconds: z.number() }),
    raw_output: z.string(),
    routing: Routing,
    model: z.string().describe('"simulated" when the built-in simulated model was used.'),
    status: Quality,
    warnings: z.array(z.string()),
    answer: Answer.describe(
      "The winner of a vote or the decision of a council in a few words; an object where config.answer_schema asks for one; null when there is none.",
    ),
    council: optionalField(
      "What each seat brought. Only from the council.",
      z.looseObject({
        proposals: z.array(
          z.looseObject({
            seat: z.int(),
            model: z.string(),
            answer: Answer,
            proposal: z.string().nullable(),
            error: z.string().nullable(),
          }),
        ),
        decision: z
          .string()
          .optional()
          .describe("The judge's decision as it was written. Absent without a verdict."),
        ranking: PeerRanking.optional().describe(
          "The seats' ranking of each other's proposals. Only with config.peer_ranking.",
        ),
      }),
    ),
    tools: optionalField(
      "Every distinct call of a tool. Only where MCI_TOOLS offers tools.",
      z.array(
        z.looseObject({
          tool: z.string(),
          input: z.unknown().describe("What it was called with."),
          requested: z.int().describe("How often seats and voters asked for it; it was called once."),
          latency_ms: z.number(),
          is_error: z.boolean(),
        }),
      ),
    ),
    cached: optionalField(
      "The response is that of an earlier run with an equal request; no model was called.",
      z.looseObject({ run: z.string(), age_seconds: z.int() }),
    ),
    formatted: optionalField(
      "The answer as JSON, where response_format asked for json_object. Only on /v1.",
      z.unknown(),
    ),
    judge_model: optionalField("The model of the judge. Only from the council.", z.string()),
    escalation: optionalField(
      "What was tried after a vote brought no answer, in order.",
      z.array(EscalationStep),
    ),
    voting: Voting.optional(),
    action: optionalField("What an agent does next. Only from the models act…", ActionSummary),
    usage: Usage,
  })
  .meta({ id: "Metadata" });

export const ModelResponse = z
  .looseObject({
    result: z.union([z.string(), Decomposition]).describe("Markdown, or a decomposition as an object."),
    metadata: Metadata,
  })
  .meta({ id: "ModelResponse" });
export type ModelResponse = ApiType<typeof ModelResponse>;

/** A run that goes on without its client. */
export const AcceptedRun = z
  .strictObject({
    id: z.string(),
    status: z.enum(["running", "finished"]),
    links: z.strictObject({ run: z.string(), events: z.string() }),
  })
  .meta({ id: "AcceptedRun" });

export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      details: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    }),
  })
  .meta({ id: "Error" });
export type ErrorBody = ApiType<typeof ErrorBody>;

export const Readiness = z.strictObject({
  status: z.enum(["ready", "stopping"]),
  model: z.string().describe('"simulated" when no model provider is configured and none was found.'),
  simulated: z.boolean(),
  provider: optionalField(
    "Provider and endpoint of the models. Only with the token: internal addresses are not public.",
    z.string(),
  ),
  history: z.strictObject({
    status: z.enum(["ok", "failing"]),
    storage: z.enum(["memory", "disk", "postgres"]),
  }),
});
export type Readiness = ApiType<typeof Readiness>;
