import type { z } from "zod";
import type { AnswerSchema, Message, Purpose } from "../model.ts";
import { toAnswerSchema } from "../prompts/answer-schemas.ts";
import type { Run } from "../run.ts";
import type { LengthCap } from "./length-cap.ts";
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
  /** Learns from these answers and flags the long ones. Default: only replies far beyond the output limit are flagged. */
  readonly lengthCap?: LengthCap;
}

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
  const { purpose, model, messages, schema, temperature, lengthCap } = request;
  const { maxOutputTokens } = run.settings;
  const sentSchema = request.sentSchema ?? toAnswerSchema(purpose, schema);
  const result = await run.client.call(
    { model, purpose, messages, temperature, maxOutputTokens, schema: sentSchema },
    signal,
  );
  if (result.kind === "failed") return { kind: "failed", reason: result.error.message, fatal: result.fatal };
  if (result.kind === "stopped") return result;
  const { call, reply } = result;
  const cap = lengthCap?.current() ?? maxOutputTokens * MAX_TOKEN_FACTOR;
  const checked = checkReply(reply, schema, { cap, custom: run.redFlag });
  if (checked.ok || checked.rule === "too_long") lengthCap?.note(answerTokens(reply));
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

const MAX_EVENT_CHARS = 500;
/** Providers may overrun the limit a little; a reply this many times as long is discarded. */
const MAX_TOKEN_FACTOR = 4;
