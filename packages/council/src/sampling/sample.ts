import type { z } from "zod";
import type { AnswerSchema, Message, Purpose } from "../model.ts";
import { answerSchema } from "../prompts/answer-schemas.ts";
import type { Run } from "../run.ts";
import type { LengthCap } from "./length-cap.ts";
import { answerTokens, inspect, written } from "./red-flags.ts";

/** What a stage wants to know, in the shape in which it wants to know it. */
export interface Wanted<T> {
  readonly purpose: Purpose;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly schema: z.ZodType<T>;
  /** The schema as the provider gets it, where many calls share it. Default: made for this call. */
  readonly sentSchema?: AnswerSchema;
  readonly temperature: number;
  /** Learns from these answers and flags the long ones. Default: any length that can be meant. */
  readonly lengthCap?: LengthCap;
}

export type Drawn<T> =
  | { readonly kind: "sample"; readonly call: number; readonly value: T }
  | { readonly kind: "flagged"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string; readonly fatal: boolean }
  | { readonly kind: "stopped" };

/** One call and its inspection: an answer that may be counted, or the reason why there is none. Never rejects. */
export async function draw<T>(run: Run, wanted: Wanted<T>, signal?: AbortSignal): Promise<Drawn<T>> {
  const { purpose, model, messages, schema, temperature, lengthCap } = wanted;
  const { maxOutputTokens } = run.settings;
  const request = {
    model,
    purpose,
    messages,
    temperature,
    maxOutputTokens,
    schema: wanted.sentSchema ?? answerSchema(purpose, schema),
  };
  const asked = await run.sampler.ask(request, signal);
  if (asked.kind === "failed") return { kind: "failed", reason: asked.error.message, fatal: asked.fatal };
  if (asked.kind === "stopped") return asked;
  const { call, reply } = asked;
  const cap = lengthCap?.current() ?? maxOutputTokens * BEYOND_BELIEF;
  const result = inspect(reply, schema, { cap, own: run.redFlag });
  if (result.ok || result.rule === "too_long") lengthCap?.note(answerTokens(reply));
  const outcome = result.ok ? "accepted" : `red flag, ${result.rule}: ${result.reason}`;
  run.transcript.note({ call, purpose, model, outcome, text: written(reply) });
  if (result.ok) {
    run.emit({ type: "sample.accepted", call, answer: written(reply).slice(0, EVENT_CHARS) });
    return { kind: "sample", call, value: result.value };
  }
  const { rule, reason } = result;
  run.emit({ type: "sample.flagged", call, rule, reason });
  return { kind: "flagged", reason: `${rule}: ${reason}` };
}

const EVENT_CHARS = 500;
/** Times the tokens allowed. Limits are not always kept to the token, but an endless answer is none. */
const BEYOND_BELIEF = 4;
