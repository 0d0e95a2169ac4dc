import type { z } from "zod";
import type { ModelReply } from "../model.ts";
import { type EchoSources, findEcho } from "./echo.ts";
import { insideEnvelope, readReply, withoutReasoning } from "./read-reply.ts";
import { isRefusal } from "./refusals.ts";
import { findRepetition } from "./repetition.ts";

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

/** A reply as the rules see it. */
interface Candidate {
  readonly reply: ModelReply;
  /** Why the reply is not valid against the schema; undefined when it is. */
  readonly schemaError: string | undefined;
  /** What the reply says: the texts of its object that answer something, or all of it when it holds no object. */
  readonly statements: readonly string[];
  /** What of its prompt it merely repeats; undefined when it says something of its own. */
  readonly echo: string | undefined;
  readonly question: string | undefined;
  /** Tokens a valid answer stays under. */
  readonly cap: number;
  readonly custom: ((reply: ModelReply) => string | undefined) | undefined;
}

/** In order: the first that gives a reason flags the reply. A new rule is one more entry. */
const RED_FLAG_RULES = {
  length_stop: ({ reply }: Candidate) =>
    reply.finishReason === "length" ? "the reply was cut off at the token limit" : undefined,
  refusal: ({ reply, statements }: Candidate) => {
    if (reply.finishReason === "content_filter") return "the provider's filter withheld the answer";
    if (reply.finishReason === "refusal" || statements.some(isRefusal)) return "the model refused to answer";
    return undefined;
  },
  empty: ({ reply }: Candidate) => {
    if (reply.finishReason === "invalid_output") return undefined;
    if (reply.object !== undefined || withoutReasoning(reply.text).trim() !== "") return undefined;
    return reply.text !== "" || reply.reasoning || (reply.usage.reasoningTokens ?? 0) > 0
      ? "only reasoning, no answer"
      : "the reply is empty";
  },
  schema_invalid: ({ reply, schemaError, statements, question = "" }: Candidate) =>
    reply.finishReason === "invalid_output"
      ? "the provider found that its model wrote no valid JSON"
      : (schemaError ??
        (statements.some((text) => isDamaged(text, question))
          ? "the answer holds a damaged character"
          : undefined)),
  echo: ({ echo }: Candidate) => echo,
  repetition: ({ statements, question }: Candidate) => {
    const repeated = statements.map((text) => findRepetition(text, question)).find(Boolean);
    return repeated && `the answer repeats ${JSON.stringify(repeated)} again and again`;
  },
  custom_rule: ({ reply, custom }: Candidate) => {
    try {
      return custom?.(reply);
    } catch (error) {
      return `the caller's rule failed: ${error instanceof Error ? error.message : error}`;
    }
  },
  // Last, so that an answer flagged for its length is valid in all else: the cap learns from it.
  too_long: ({ reply, cap }: Candidate) => {
    const tokens = answerTokens(reply);
    return tokens > cap ? `${tokens} tokens, more than the ${Math.floor(cap)} of a valid answer` : undefined;
  },
} as const satisfies Record<string, (candidate: Candidate) => string | undefined>;

type RedFlagRule = keyof typeof RED_FLAG_RULES;

export function checkReply<T>(
  reply: ModelReply,
  schema: z.ZodType<T>,
  {
    cap = Number.POSITIVE_INFINITY,
    custom,
    plainNumbers,
    echoes,
  }: {
    cap?: number;
    custom?: (reply: ModelReply) => string | undefined;
    plainNumbers?: boolean;
    /** What the reply must not merely repeat. Default: not checked. */
    echoes?: EchoSources;
  } = {},
): Sample<T> | Flag {
  const read = readReply(reply, { plainNumbers });
  const { value, parsed } =
    "error" in read ? { value: undefined, parsed: read } : validated(read.value, schema, plainNumbers);
  const candidate: Candidate = {
    reply,
    cap,
    custom,
    question: echoes?.question,
    schemaError: "error" in parsed ? parsed.error : undefined,
    statements: "error" in read ? [withoutReasoning(reply.text)] : statementsOf(value),
    echo:
      "error" in parsed || !echoes ? undefined : findEcho(parsed.value as Record<string, unknown>, echoes),
  };
  for (const [rule, reasonOf] of Object.entries(RED_FLAG_RULES) as [
    RedFlagRule,
    (candidate: Candidate) => string | undefined,
  ][]) {
    const reason = reasonOf(candidate);
    if (reason !== undefined) return { ok: false, rule, reason };
  }
  if ("error" in parsed) throw new TypeError("a reply that is not valid passed every rule");
  return { ok: true, value: parsed.value };
}

/** A NUL, half of a character, or what stands for a lost one. Where the question has the same, the answer may be about it. */
function isDamaged(text: string, question: string): boolean {
  const damaged = text.match(DAMAGED);
  if (damaged === null) return false;
  const asked = new Set(question.match(DAMAGED));
  return damaged.some((character) => !asked.has(character));
}
const DAMAGED = /[\0\uFFFD\p{Cs}]/gu;

/** As it is, else what stands in an envelope. */
function validated<T>(value: unknown, schema: z.ZodType<T>, plainNumbers: boolean | undefined) {
  const parsed = validate(value, schema);
  const inside = "error" in parsed ? insideEnvelope(value, plainNumbers) : undefined;
  const opened = inside && validate(inside, schema);
  return opened && "value" in opened ? { value: inside, parsed: opened } : { value, parsed };
}

function validate<T>(value: unknown, schema: z.ZodType<T>): { value: T } | { error: string } {
  // The choices make it a new schema for every vote: compiling it would take longer than it saves.
  const checked = schema.safeParse(value, { jitless: true });
  if (checked.success) return { value: checked.data };
  const [issue] = checked.error.issues;
  return { error: `the reply is not valid: ${issue?.path.join(".") || "(root)"}: ${issue?.message}` };
}

/** The fields in which an answer is given; a rationale may well say "sorry". */
const STATEMENTS = ["answer", "other", "proposal", "decision", "task", "question", "refusal"];

function statementsOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  const texts = STATEMENTS.flatMap((name) => (typeof fields[name] === "string" ? [fields[name]] : []));
  return [...texts, ...onlyTextOf(fields["answer"])];
}

/** An object whose only text is a refusal answers nothing; one text among others may well quote one. */
function onlyTextOf(answer: unknown): readonly string[] {
  if (typeof answer !== "object" || answer === null) return [];
  const texts = Object.values(answer).filter((value) => typeof value === "string");
  return texts.length === 1 ? texts : [];
}

/** The reply as text, also where the provider returned only an object. */
export function replyText({ text, object }: ModelReply): string {
  return text.trim() === "" && object !== undefined ? JSON.stringify(object) : text;
}

/** Tokens of the answer itself, reasoning left out; estimated where the provider does not count, or cannot have counted. */
export function answerTokens(reply: ModelReply): number {
  const { usage } = reply;
  const whole = replyText(reply);
  const text = withoutReasoning(whole);
  const counted = usage.outputTokens - (usage.reasoningTokens ?? 0);
  // Reasoning inside the text is counted as output.
  const credible =
    counted > 0 && text.length === whole.length && text.length <= counted * MAX_CHARS_PER_TOKEN;
  return credible ? counted : Math.ceil(text.length / CHARS_PER_TOKEN);
}

const CHARS_PER_TOKEN = 4;
/** Single tokens can be longer, whole answers of them are not. */
const MAX_CHARS_PER_TOKEN = 16;
