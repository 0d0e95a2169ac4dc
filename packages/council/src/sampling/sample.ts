import type { z } from "zod";
import type { CompiledAnswerSchema } from "../answer-schema/compile.ts";
import type { AnswerSchema, Message, ModelReply, Purpose } from "../model.ts";
import { toAnswerSchema } from "../prompts/answer-schemas.ts";
import type { Run } from "../run.ts";
import { converse } from "./converse.ts";
import type { LengthCap } from "./length-cap.ts";
import { withoutReasoning } from "./read-reply.ts";
import { answerTokens, checkReply, replyText } from "./red-flags.ts";

/** One question to one model, and the schema its answer must have. */
export interface SampleRequest<T> {
  readonly purpose: Purpose;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly schema: z.ZodType<T>;
  /** The schema as the provider gets it, where many calls share it. Default: made for this call. */
  readonly sentSchema?: AnswerSchema;
  readonly temperature: number;
  /** The caller's schema of `answer`, where `schema` holds it. Default: `answer` is text. */
  readonly object?: CompiledAnswerSchema;
  /** Whether the model may look facts up with the tools of the run, where it has any. Default: it may not. */
  readonly withTools?: true;
  /** Learns from these answers and flags the long ones. Default: only replies far beyond the output limit are flagged. */
  readonly lengthCap?: LengthCap;
  /** The share of the time left that this call may take, at the model's speed. Default: one half. */
  readonly timeShare?: number;
}

const TIME_SHARE = 0.5;

export type SampleResult<T> =
  | { readonly kind: "sample"; readonly call: number; readonly value: T }
  | { readonly kind: "flagged"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string; readonly fatal: boolean }
  | { readonly kind: "stopped" };

/** One model call and its red-flag check: a valid answer, or the reason why there is none. Never rejects. */
export async function sample<T>(
  run: Run,
  request: SampleRequest<T>,
  signal?: AbortSignal,
): Promise<SampleResult<T>> {
  const { purpose, model, messages, schema, object, temperature, lengthCap } = request;
  const { reasoningEffort } = run.settings;
  const maxOutputTokens = outputLimit(run, model, request.timeShare ?? TIME_SHARE);
  const sentSchema =
    request.sentSchema ?? toAnswerSchema(purpose, schema, { object, set: run.promptSet(model) });
  const modelRequest = {
    model,
    purpose,
    messages,
    temperature,
    maxOutputTokens,
    schema: sentSchema,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
  const result = await (request.withTools
    ? converse(run, modelRequest, signal)
    : run.client.call(modelRequest, signal));
  if (result.kind === "failed") return { kind: "failed", reason: result.error.message, fatal: result.fatal };
  if (result.kind === "stopped") return result;
  const { call, reply } = result;
  const cap = lengthCap?.current() ?? maxOutputTokens * MAX_TOKEN_FACTOR;
  const checked = checkReply(reply, schema, {
    cap,
    custom: run.redFlag,
    plainNumbers: object !== undefined,
    echoes: {
      instructions: `${messages[0]?.role === "system" ? messages[0].content : ""}\n${object ? descriptionsIn(object) : ""}`,
      question: run.question.prompt,
    },
  });
  if (checked.ok || checked.rule === "too_long") lengthCap?.note(answerTokens(reply));
  if (usedUpByReasoning(reply, maxOutputTokens)) raiseOutputLimit(run, model, maxOutputTokens);
  const outcome = checked.ok ? "accepted" : `red flag, ${checked.rule}: ${checked.reason}`;
  run.transcript.note({ call, purpose, model, outcome, text: replyText(reply) });
  if (checked.ok) {
    run.emit({ type: "sample.accepted", call, answer: replyText(reply).slice(0, MAX_EVENT_CHARS) });
    return { kind: "sample", call, value: checked.value };
  }
  const { rule, reason } = checked;
  run.emit({ type: "sample.flagged", call, rule, reason });
  return { kind: "flagged", reason: `${rule}: ${reason}` };
}

/** What the settings allow, and what the model can write in its share of the time left. */
function outputLimit(run: Run, model: string, timeShare: number): number {
  const limit = run.outputLimits.get(model) ?? firstLimit(run, model);
  const inTime = run.speeds.tokensWithin(model, run.budget.remainingMs() * timeShare);
  return inTime === undefined ? limit : Math.min(limit, Math.max(MIN_OUTPUT_TOKENS, inTime));
}

/** Small models that do not find an end go on to the limit. */
function firstLimit({ settings, promptSet }: Run, model: string): number {
  const { maxOutputTokens, maxOutputTokensRequested } = settings;
  if (maxOutputTokensRequested || promptSet(model) === "full") return maxOutputTokens;
  return Math.min(maxOutputTokens, COMPACT_OUTPUT_TOKENS);
}

/** A shorter reply would hardly hold an answer. */
const MIN_OUTPUT_TOKENS = 64;
const COMPACT_OUTPUT_TOKENS = 1024;

const MAX_EVENT_CHARS = 500;
/** Providers may overrun the limit a little; a reply this many times as long is discarded. */
const MAX_TOKEN_FACTOR = 4;

/** Cut off before the answer was written: a limit that fits the answer does not fit the thinking before it. */
function usedUpByReasoning({ finishReason, usage, text }: ModelReply, limit: number): boolean {
  if (finishReason !== "length") return false;
  return (usage.reasoningTokens ?? 0) > limit / 2 || withoutReasoning(text).trim() === "";
}

function raiseOutputLimit({ settings, outputLimits }: Run, model: string, current: number): void {
  if (settings.maxOutputTokensRequested) return;
  outputLimits.set(model, Math.min(2 * current, MAX_RAISE * settings.maxOutputTokens));
}

const MAX_RAISE = 4;

/** The descriptions in a caller's schema, which a reply must not merely repeat. Collected once for each schema. */
function descriptionsIn(object: CompiledAnswerSchema): string {
  const cached = collected.get(object);
  if (cached !== undefined) return cached;
  const found = JSON.stringify(object.jsonSchema).matchAll(/"description":"((?:[^"\\]|\\.){1,500})/g);
  // Apart from each other, so that no text is found across two of them.
  const text = [...found].map(([, description]) => JSON.parse(`"${description}"`)).join("\n|\n");
  collected.set(object, text);
  return text;
}

const collected = new WeakMap<CompiledAnswerSchema, string>();
