import type { z } from "zod";
import type { ModelReply } from "../model.ts";

/** An answer that may be counted. */
export interface Sample<T> {
  readonly ok: true;
  readonly value: T;
}

/** A reply that is discarded, never repaired: a model that breaks the form is more often wrong in substance too. */
export interface Flag {
  readonly ok: false;
  readonly rule: RedFlagRule;
  readonly reason: string;
}

/** An answer as the rules see it. */
interface Candidate {
  readonly reply: ModelReply;
  /** Why the answer does not have the shape asked for; undefined when it has. */
  readonly schemaError: string | undefined;
  /** Tokens a sound answer stays under. */
  readonly cap: number;
  readonly custom: ((reply: ModelReply) => string | undefined) | undefined;
}

/** In order: the first that gives a reason flags the answer. A new rule is one more entry. */
const RED_FLAG_RULES = {
  length_stop: ({ reply }: Candidate) =>
    reply.finishReason === "length" ? "the answer was cut off at the token limit" : undefined,
  refusal: ({ reply }: Candidate) => {
    if (reply.finishReason === "content_filter") return "the provider's filter withheld the answer";
    if (reply.finishReason === "refusal" || REFUSAL.test(replyText(reply)))
      return "the model refused to answer";
    return undefined;
  },
  empty: ({ reply }: Candidate) => {
    if (reply.finishReason === "invalid_output") return undefined;
    if (reply.object !== undefined || reply.text.replace(THINKING, "").trim() !== "") return undefined;
    return reply.text !== "" || (reply.usage.reasoningTokens ?? 0) > 0
      ? "only reasoning, no answer"
      : "the answer is empty";
  },
  schema_invalid: ({ reply, schemaError }: Candidate) =>
    reply.finishReason === "invalid_output"
      ? "the provider found that its model wrote no valid JSON"
      : schemaError,
  custom_rule: ({ reply, custom }: Candidate) => {
    try {
      return custom?.(reply);
    } catch (error) {
      return `the caller's rule failed: ${error instanceof Error ? error.message : error}`;
    }
  },
  // Last, so that an answer flagged for its length is sound in all else: the cap learns from it.
  too_long: ({ reply, cap }: Candidate) => {
    const tokens = answerTokens(reply);
    return tokens > cap ? `${tokens} tokens, more than the ${Math.floor(cap)} of a sound answer` : undefined;
  },
} as const satisfies Record<string, (candidate: Candidate) => string | undefined>;

export type RedFlagRule = keyof typeof RED_FLAG_RULES;

const REFUSAL =
  /^\s*(?:\{\s*"\w+"\s*:\s*")?(?:I['’]m sorry, but|I am sorry, but|I can(?:no|['’])t (?:help|assist|comply|answer)|I['’]m (?:unable|not able) to)/i;
const THINKING = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/g;

export function checkReply<T>(
  reply: ModelReply,
  schema: z.ZodType<T>,
  {
    cap = Number.POSITIVE_INFINITY,
    custom,
  }: { cap?: number; custom?: (reply: ModelReply) => string | undefined } = {},
): Sample<T> | Flag {
  const parsed = parse(reply, schema);
  const candidate: Candidate = {
    reply,
    cap,
    custom,
    schemaError: "error" in parsed ? parsed.error : undefined,
  };
  for (const [rule, reasonOf] of Object.entries(RED_FLAG_RULES) as [
    RedFlagRule,
    (candidate: Candidate) => string | undefined,
  ][]) {
    const reason = reasonOf(candidate);
    if (reason !== undefined) return { ok: false, rule, reason };
  }
  if ("error" in parsed) throw new TypeError("an answer without the right shape passed every rule");
  return { ok: true, value: parsed.value };
}

/** Strictly: the whole text is JSON of the right shape, or it is not. */
function parse<T>(reply: ModelReply, schema: z.ZodType<T>): { value: T } | { error: string } {
  let value = reply.object;
  if (value === undefined) {
    try {
      value = JSON.parse(reply.text);
    } catch {
      return { error: "the answer is not JSON" };
    }
  }
  // The choices make it a new schema for every vote: compiling it would take longer than it saves.
  const checked = schema.safeParse(value, { jitless: true });
  if (checked.success) return { value: checked.data };
  const [issue] = checked.error.issues;
  return { error: `the answer has the wrong shape: ${issue?.path.join(".") || "(root)"}: ${issue?.message}` };
}

/** The answer as text, also where the provider handed back only an object. */
export function replyText({ text, object }: ModelReply): string {
  return text.trim() === "" && object !== undefined ? JSON.stringify(object) : text;
}

/** Tokens of the answer itself, reasoning left out; estimated where the provider does not count, or cannot have counted. */
export function answerTokens(reply: ModelReply): number {
  const { usage } = reply;
  const text = replyText(reply);
  const counted = usage.outputTokens - (usage.reasoningTokens ?? 0);
  const credible = counted > 0 && text.length <= counted * MAX_CHARS_PER_TOKEN;
  return credible ? counted : Math.ceil(text.length / CHARS_PER_TOKEN);
}

const CHARS_PER_TOKEN = 4;
/** Single tokens can be longer, whole answers of them are not. */
const MAX_CHARS_PER_TOKEN = 16;
