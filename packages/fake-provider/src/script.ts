import { z } from "zod";
import { STYLE_NAMES } from "./styles.ts";

/** What the test provider does with one request. */
export const ScriptedReply = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("answer"),
    answer: z.string().describe("Wrapped as the request's schema asks."),
    style: z.enum(STYLE_NAMES).optional().describe("How the object is written. Default plain."),
  }),
  z.strictObject({ kind: z.literal("text"), text: z.string().describe("Sent exactly as written.") }),
  z.strictObject({
    kind: z.literal("tool_call"),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({
    kind: z.literal("tool_calls"),
    calls: z
      .array(
        z.strictObject({
          tool: z.string(),
          input: z.record(z.string(), z.unknown()).default({}),
          damaged: z.boolean().optional().describe("Arguments that are not JSON, or not those of the tool."),
        }),
      )
      .min(1)
      .describe("Calls side by side."),
  }),
  z.strictObject({ kind: z.literal("length") }),
  z.strictObject({ kind: z.literal("refusal") }),
  z.strictObject({ kind: z.literal("content_filter") }),
  z.strictObject({ kind: z.literal("empty") }),
  z.strictObject({ kind: z.literal("reasoning_only") }),
  z.strictObject({ kind: z.literal("malformed") }),
  z.strictObject({ kind: z.literal("overlong") }),
  z.strictObject({
    kind: z.literal("status"),
    status: z.int().min(400).max(599),
    retry_after: z.number().min(0).optional().describe("Seconds, sent as Retry-After."),
  }),
  z.strictObject({ kind: z.literal("hang") }),
  z.strictObject({
    kind: z.literal("cut"),
    after: z
      .enum(["request", "headers", "body"])
      .default("request")
      .describe("How much is sent before the socket dies."),
  }),
]);
export type ScriptedReply = z.output<typeof ScriptedReply>;
export type ReplyKind = ScriptedReply["kind"];

/** A scripted reply: the first rule that fits a request and is not used up decides. */
export const Rule = z.strictObject({
  reply: ScriptedReply,
  model: z.string().optional().describe("Only requests for this model."),
  tools: z
    .boolean()
    .optional()
    .describe("Only requests that offer tools (true), or that offer none (false)."),
  without: z.string().optional().describe("Only requests whose messages do not contain this text."),
  contains: z.string().optional().describe("Only requests whose messages contain this text."),
  times: z.int().min(1).optional().describe("How often the rule applies. Default: always."),
  delay_ms: z
    .number()
    .min(0)
    .optional()
    .describe("Waits this long before replying. Default: the behaviour's latency."),
});
export type Rule = z.output<typeof Rule>;

const share = z.number().min(0).max(1);

/** The model of an agent: what it should do at each step, and how often it does something else. */
export const AgentScript = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        calls: z
          .array(z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()).default({}) }))
          .min(1),
      }),
    )
    .describe("The right action of each step: one call, or several side by side."),
  reply: z.string().default("Done.").describe("What it says after the last step."),
  accuracy: share.default(1).describe("Share of right actions."),
  error: z
    .enum(["tool", "argument", "either"])
    .default("either")
    .describe("What a wrong action gets wrong: another tool that is offered, or another argument."),
  free: z.array(z.string()).default([]).describe("Arguments that are free text."),
  reworded: share.default(0).describe("Share of right actions whose free text is said in other words."),
  malformed: share.default(0).describe("Share of actions whose arguments are damaged."),
  shuffle: z.boolean().default(false).describe("Whether calls side by side come in any order."),
});
export type AgentScript = z.output<typeof AgentScript>;

/** What happens when no rule fits: drawn from a seeded generator, so a run can be repeated. */
export const Behaviour = z.strictObject({
  seed: z.int().default(1).describe("Seed of every draw."),
  accuracy: share.default(1).describe("Share of valid answers that are right."),
  truth: z
    .string()
    .default("yes")
    .describe("The right answer, where the request lists no choices that exclude it."),
  wrong: z.array(z.string()).min(1).default(["no"]).describe("The wrong answers, drawn evenly."),
  agent: AgentScript.optional().describe("What requests with tools get, step by step."),
  paraphrase: share.default(0).describe("Share of answers said in other words of the same meaning."),
  style: z
    .enum(STYLE_NAMES)
    .default("plain")
    .describe("How the model writes an object it is asked for, as real models do or damage it."),
  style_rate: share.default(1).describe("Share of the answers written in that style."),
  latency: z
    .strictObject({
      median_ms: z.number().min(0).default(0),
      sigma: z
        .number()
        .min(0)
        .default(0)
        .describe("Spread of the log-normal distribution; 0 is always the median."),
    })
    .prefault({}),
  stragglers: z
    .strictObject({ rate: share.default(0), factor: z.number().min(1).default(10) })
    .prefault({})
    .describe("A share of the replies takes `factor` times as long."),
  rates: z
    .partialRecord(
      z.enum([
        "length",
        "refusal",
        "content_filter",
        "empty",
        "reasoning_only",
        "malformed",
        "overlong",
        "401",
        "429",
        "500",
        "hang",
        "cut",
      ]),
      share,
    )
    .default({})
    .describe("Share of requests that end in each kind of fault."),
});
export type Behaviour = z.output<typeof Behaviour>;

/** The file `mci-council-sim --script` reads and the body `PUT /sim/script` takes. */
export const Script = z.strictObject({
  rules: z.array(Rule).default([]),
  behaviour: Behaviour.prefault({}),
});
export type Script = z.output<typeof Script>;
export type ScriptInput = z.input<typeof Script>;
