import type { z } from "zod";
import type { ModelReply } from "../model.ts";

/** An answer that may be counted. */
export interface Sample<T> {
  readonly ok: true;
  readonly value: T;
}

/** An answer that is discarded, never mended: a model that breaks form has usually lost its way in substance too. */
export interface Flag {
  readonly ok: false;
  readonly rule: RedFlagRule;
  readonly reason: string;
}

/** An answer as the rules see it. */
interface Draft {
  readonly reply: ModelReply;
  /** Why the answer does not have the shape asked for; undefined when it has. */
  readonly misshapen: string | undefined;
  /** Tokens a sound answer stays under. */
  readonly cap: number;
  readonly own: ((reply: ModelReply) => string | undefined) | undefined;
}

/** In order: the first that gives a reason flags the answer. A new rule is one more entry. */
const RED_FLAG_RULES = {
  length_stop: ({ reply }: Draft) =>
    reply.finishReason === "length" ? "the answer was cut off at the token limit" : undefined,
  refusal: ({ reply }: Draft) => {
    if (reply.finishReason === "content_filter") return "the provider's filter withheld the answer";
    if (reply.finishReason === "refusal" || REFUSAL.test(written(reply)))
      return "the model refused to answer";
    return undefined;
  },
  empty: ({ reply }: Draft) => {
    if (reply.finishReason === "invalid_output") return undefined;
    if (reply.object !== undefined || reply.text.replace(THINKING, "").trim() !== "") return undefined;
    return reply.text !== "" || (reply.usage.reasoningTokens ?? 0) > 0
      ? "only reasoning, no answer"
      : "the answer is empty";
  },
  schema_invalid: ({ reply, misshapen }: Draft) =>
    reply.finishReason === "invalid_output"
      ? "the provider found that its model wrote no valid JSON"
      : misshapen,
  own_rule: ({ reply, own }: Draft) => {
    try {
      return own?.(reply);
    } catch (error) {
      return `the caller's rule failed: ${error instanceof Error ? error.message : error}`;
    }
  },
  // Last, so that an answer flagged for its length is sound in all else: the cap learns from it.
  too_long: ({ reply, cap }: Draft) => {
    const tokens = answerTokens(reply);
    return tokens > cap ? `${tokens} tokens, more than the ${Math.floor(cap)} of a sound answer` : undefined;
  },
} as const satisfies Record<string, (draft: Draft) => string | undefined>;

export type RedFlagRule = keyof typeof RED_FLAG_RULES;

const REFUSAL =
  /^\s*(?:\{\s*"\w+"\s*:\s*")?(?:I['’]m sorry, but|I am sorry, but|I can(?:no|['’])t (?:help|assist|comply|answer)|I['’]m (?:unable|not able) to)/i;
const THINKING = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/g;

export function inspect<T>(
  reply: ModelReply,
  schema: z.ZodType<T>,
  {
    cap = Number.POSITIVE_INFINITY,
    own,
  }: { cap?: number; own?: (reply: ModelReply) => string | undefined } = {},
): Sample<T> | Flag {
  const parsed = parse(reply, schema);
  const draft: Draft = { reply, cap, own, misshapen: "error" in parsed ? parsed.error : undefined };
  for (const [rule, reasonOf] of Object.entries(RED_FLAG_RULES) as [
    RedFlagRule,
    (draft: Draft) => string | undefined,
  ][]) {
    const reason = reasonOf(draft);
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
export function written({ text, object }: ModelReply): string {
  return text.trim() === "" && object !== undefined ? JSON.stringify(object) : text;
}

/** Tokens of the answer itself, reasoning left out; estimated where the provider does not count, or cannot have counted. */
export function answerTokens(reply: ModelReply): number {
  const { usage } = reply;
  const text = written(reply);
  const counted = usage.outputTokens - (usage.reasoningTokens ?? 0);
  const credible = counted > 0 && text.length <= counted * MOST_CHARS_PER_TOKEN;
  return credible ? counted : Math.ceil(text.length / CHARS_PER_TOKEN);
}

const CHARS_PER_TOKEN = 4;
/** Single tokens can be longer, whole answers of them are not. */
const MOST_CHARS_PER_TOKEN = 16;
