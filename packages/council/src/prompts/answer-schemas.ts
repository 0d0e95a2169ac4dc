import { z } from "zod";
import type { AnswerObject, CompiledAnswerSchema } from "../answer-schema/compile.ts";
import { canonical } from "../canonical/canonical.ts";
import { markedOptions, readMark } from "../canonical/lettered-options.ts";
import { plain } from "../canonical/plain.ts";
import type { AnswerSchema } from "../model.ts";
import type { PromptSet } from "./prompt-set.ts";

/**
 * The schemas of answers. The reasons come before the answer in each, so that a model thinks before it commits itself. Models leave
 * out or add fields where a provider does not enforce the schema, so unknown fields are ignored, and only what is counted is required.
 * How long a text may be is only said in what is sent, see `toAnswerSchema`.
 */

const text = z.string();
const notEmpty = (value: string) => value.trim() !== "";
/** Sent as a number or a boolean where that is what the answer looks like. */
const answerText = z.preprocess(
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  text.refine(notEmpty, "must not be empty"),
);
const filled = text.refine(notEmpty, "must not be empty");
const maybeText = z.preprocess(
  (value) => (typeof value === "number" ? String(value) : value),
  text.nullish(),
);
/** Read by people, never counted: a missing one is empty, another kind is shown as JSON. */
const rationale = z.preprocess(
  (value) => (typeof value === "string" ? value : value == null ? "" : JSON.stringify(value)),
  text,
);
const list = z.preprocess((value) => value ?? [], z.array(text));

export const OTHER = "other";

interface Choice {
  readonly answer: string | AnswerObject;
  readonly other?: string | null;
}

type Vote = Choice & { readonly rationale: string };
type Seat = Choice & { readonly proposal: string };

const freeVote: z.ZodType<Vote> = z.object({ rationale, answer: answerText });
const freeSeat: z.ZodType<Seat> = z.object({ proposal: filled, answer: answerText });

/** The form that answers to one question have: an object of the caller's schema, one of the choices, or free text. */
export interface AnswerForm {
  /** Empty: free text, or an object. */
  readonly choices: readonly string[];
  /** What offers the choices: their letters stand there. */
  readonly question?: string;
  readonly object?: CompiledAnswerSchema;
}

export function voteSchema({ choices, question, object }: AnswerForm): z.ZodType<Vote> {
  if (object) return z.object({ rationale, answer: object.zod });
  return choices.length === 0 ? freeVote : oneOf<Vote>(choices, question, { rationale });
}

export function seatSchema({ choices, question, object }: AnswerForm): z.ZodType<Seat> {
  if (object) return z.object({ proposal: filled, answer: object.zod });
  return choices.length === 0 ? freeSeat : oneOf<Seat>(choices, question, { proposal: filled });
}

export function verdictSchema({ object }: AnswerForm): z.ZodType<Verdict> {
  return object ? verdict.extend({ answer: object.zod }) : verdict;
}

/** One of the choices found; "other" keeps a wrong guess at them from forcing a wrong answer. */
function oneOf<T extends Choice>(
  choices: readonly string[],
  question: string | undefined,
  reasons: z.ZodRawShape,
): z.ZodType<T> {
  const schema = z.object({ ...reasons, answer: oneOption([...choices, OTHER], question), other: maybeText });
  // "other" alone answers nothing, unless it was offered.
  const namesOther = ({ answer, other }: T) =>
    answer !== OTHER || choices.includes(OTHER) || Boolean(other?.trim());
  return (schema as z.ZodType as z.ZodType<T>).refine(namesOther, {
    path: ["other"],
    message: "must name the other answer",
  });
}

function oneOption(options: readonly string[], question?: string) {
  return z.preprocess((value) => {
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    return typeof text === "string" ? (findOption(options, text, question) ?? text) : text;
  }, z.enum(options));
}

/**
 * The option that a text gives: word for word, in other case, or in another spelling of the same answer ("C", "C) Canberra." and "The
 * answer is **Canberra**" where C is Canberra, "true" for yes). Undefined where that is none of them, or more than one: a letter may be
 * an option itself, and beside its words it may be another one's.
 */
export function findOption(options: readonly string[], text: string, question = ""): string | undefined {
  const spelt = (value: string) => canonical(value, question).key;
  const optionLike = (value: string) => {
    if (options.includes(value)) return value;
    const same = options.filter((one) => foldOption(one) === foldOption(value));
    const [found, ...more] = same.length > 0 ? same : options.filter((one) => spelt(one) === spelt(value));
    return more.length === 0 ? found : undefined;
  };
  if (options.includes(text)) return text;
  const marks = markedOptions(question);
  const read = marks.size > 0 ? readMark(text, { numbers: marks.has("1") }) : undefined;
  const marked = read && marks.get(read.mark);
  if (read === undefined || (marked === undefined && read.rest === "")) return optionLike(text);
  if (marked === undefined) return undefined;
  const option = optionLike(marked);
  if (read.rest !== "") return optionLike(read.rest) === option ? option : undefined;
  const written = plain(text).toLowerCase();
  const isAnother = options.some((one) => one !== option && plain(one).toLowerCase() === written);
  const mayBeValue = marks.has("1") && options.some((one) => canonical(one).kind === "quantity");
  return isAnother || mayBeValue ? undefined : option;
}

const foldOption = (value: string) => value.trim().toLowerCase();

/** An answer as it is counted. */
export interface ReadAnswer {
  /** As text; of an object, the part that is voted on. */
  readonly answer: string;
  /** As it is handed out. */
  readonly value: string | AnswerObject;
  /** Whether it is one of the choices. */
  readonly picked: boolean;
  /** Equal for objects that are one vote. */
  readonly key?: string;
}

export function readAnswer({ answer, other }: Choice, { choices, object }: AnswerForm): ReadAnswer {
  if (typeof answer !== "string")
    return { answer: object!.label(answer), value: answer, picked: false, key: object!.key(answer) };
  const text = answer === OTHER && other?.trim() && choices.length > 0 ? other.trim() : answer;
  const trimmed = trimAnswer(text);
  return { answer: trimmed, value: trimmed, picked: choices.length > 0 && text === answer };
}

/** Without blanks, empty lines and a model's own mark of its end around it. The first line of several keeps its indentation, which code may need. */
function trimAnswer(reply: string): string {
  const text = reply.replace(END_MARK, "");
  const trimmed = text.trim();
  return trimmed.includes("\n") ? text.trimEnd().replace(/^\s*\n/, "") : trimmed;
}

/** Where a server does not know the mark, a model writes it right after its words. Alone, or after a blank, it may be what was asked for. */
const END_MARK =
  /(?<=[^\s>])\n?(?:<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text|return)\|>|<end_of_turn>|<｜end▁of▁sentence｜>)\s*$/;

/** In this order, so that the judge compares before deciding. */
const verdict = z.object({
  consensus: list,
  contradictions: list,
  gaps: list,
  dissent: list,
  decision: filled,
  /** Whether the judge left a contradiction open that would do harm. */
  unresolved: z.preprocess((value) => value === true, z.boolean()),
  /** The decision in a few words; absent where the judge left it out. */
  answer: z.preprocess(
    (value) => (typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""),
    text,
  ),
});
export type Verdict = Omit<z.infer<typeof verdict>, "answer"> & {
  readonly answer: string | AnswerObject;
};

/** Every label once, the best first. */
export const rankingSchema = (labels: readonly string[]) =>
  z.object({
    rationale,
    ranking: z.preprocess(
      (value) => (Array.isArray(value) ? value.map(bareLabel) : value),
      z
        .array(z.string())
        .refine(
          (ranking) => ranking.length === labels.length && labels.every((label) => ranking.includes(label)),
          "must name every proposal once",
        ),
    ),
  });

/** `Proposal A` and `a` name what `A` names. */
const bareLabel = (value: unknown) =>
  typeof value === "string"
    ? value
        .replace(/^\s*proposal\s+/i, "")
        .trim()
        .toUpperCase()
    : value;

/** `total_steps` last, so that a model counts the steps it has written. */
export const decomposition = z.object({
  task: filled,
  steps: z.array(
    z.object({
      id: z.number(),
      action: filled,
      input: text.nullish(),
      output: text.nullish(),
      dependencies: z.preprocess((value) => value ?? [], z.array(z.number())),
    }),
  ),
  total_steps: z.number(),
});

export const equivalence = z.object({ rationale, same: z.boolean() });
export const paraphrase = z.object({ question: filled });
export const toolChoiceSchema = (tools: readonly string[]) => z.object({ rationale, tool: oneOption(tools) });

/** How a schema is sent. */
export interface SentSchemaOptions {
  /** The caller's schema of `answer`, which stands in it as the caller wrote it. */
  readonly object?: CompiledAnswerSchema;
  /** Default `full`. */
  readonly set?: PromptSet;
  /** The only values of `answer`. Default: any. */
  readonly answers?: readonly string[];
}

/**
 * The schema as a provider gets it: plain JSON Schema in which every property is required, as strict modes demand; once as it is, once
 * with a length for each text.
 */
export function toAnswerSchema(
  name: string,
  schema: z.ZodType,
  { object, set = "full", answers }: SentSchemaOptions = {},
): AnswerSchema {
  const { jsonSchema, bounded } = toJsonSchemas(schema, set);
  const answer = object ? object.jsonSchema : answers?.length ? { type: "string", enum: answers } : undefined;
  if (answer === undefined) return { name, jsonSchema, bounded };
  const withAnswer = (one: JsonSchema) => ({ ...one, properties: { ...one.properties, answer } });
  return {
    // Endpoints learn what they take by name: another schema is another lesson.
    name: object ? `${name}_object` : name,
    jsonSchema: withAnswer(jsonSchema),
    bounded: withAnswer(bounded),
  };
}

/** A conversion takes as long as reading a reply, and most schemas here are the same in every run. */
const converted = {
  full: new WeakMap<z.ZodType, JsonSchemas>(),
  compact: new WeakMap<z.ZodType, JsonSchemas>(),
};
type JsonSchema = AnswerSchema["jsonSchema"] & { readonly properties?: Readonly<Record<string, JsonSchema>> };
interface JsonSchemas {
  readonly jsonSchema: JsonSchema;
  readonly bounded: JsonSchema;
}

function toJsonSchemas(schema: z.ZodType, set: PromptSet): JsonSchemas {
  const cached = converted[set].get(schema);
  if (cached) return cached;
  const { $schema, ...plain } = z.toJSONSchema(schema);
  const jsonSchema = schemaForSet(plain as JsonSchema, set);
  const made = { jsonSchema, bounded: withBounds(jsonSchema, "", set) };
  converted[set].set(schema, made);
  return made;
}

/** Lists that a judge writes. */
const LISTS = ["consensus", "contradictions", "gaps", "dissent"];
/** Small models repeat the question in these, or do not end: they are asked for the rest alone, and get no way out of the choices. */
const NOT_COMPACT = new Set(["other", "unresolved", ...LISTS]);

function schemaForSet(schema: JsonSchema, set: PromptSet): JsonSchema {
  const { items, properties } = schema as Record<string, JsonSchema>;
  const options = schema["enum"];
  if (Array.isArray(options) && set === "compact")
    return { ...schema, enum: options.filter((option) => option !== OTHER) };
  if (items) return { ...schema, items: schemaForSet(items, set) };
  if (!properties) return schema;
  // Before an answer in words a vote writes a sentence, as its examples have it.
  const { answer } = properties as Record<string, JsonSchema>;
  const isAsked = (key: string) =>
    !NOT_COMPACT.has(key) && (key !== "rationale" || answer?.["type"] === "string");
  const fields = Object.entries(properties as Record<string, JsonSchema>)
    .filter(([key]) => set === "full" || isAsked(key))
    .map(([key, part]) => [key, schemaForSet(part, set)] as const);
  return { ...schema, properties: Object.fromEntries(fields), required: fields.map(([key]) => key) };
}

/**
 * The most characters of each text; of other texts, such as the action of a step, `MAX_LENGTH`. Servers that turn a schema into a
 * grammar refuse more than 2000, so long texts of capable models have no bound here: the limit on tokens ends them.
 */
const MAX_LENGTHS: Readonly<Record<PromptSet, Readonly<Record<string, number>>>> = {
  full: { rationale: 1200, proposal: Number.POSITIVE_INFINITY, decision: Number.POSITIVE_INFINITY },
  compact: { rationale: 120, answer: 120, proposal: 1200, decision: 1200 },
};
const MAX_LENGTH = 1000;
const MAX_ITEM_LENGTH = 600;
const MAX_ITEMS = 8;

/** `name`: of the property that the schema is for. */
function withBounds(schema: JsonSchema, name: string, set: PromptSet): JsonSchema {
  const { properties, items } = schema as Record<string, JsonSchema>;
  const isList = LISTS.includes(name);
  // Also `["string", "null"]`.
  if ([schema["type"]].flat().includes("string") && schema["enum"] === undefined) {
    const maxLength = isList ? MAX_ITEM_LENGTH : (MAX_LENGTHS[set][name] ?? MAX_LENGTH);
    return Number.isFinite(maxLength) ? { ...schema, maxLength } : schema;
  }
  if (items)
    return { ...schema, ...(isList ? { maxItems: MAX_ITEMS } : {}), items: withBounds(items, name, set) };
  if (!properties) return schema;
  const bounded = Object.entries(properties as Record<string, JsonSchema>).map(
    ([key, part]) => [key, withBounds(part, key, set)] as const,
  );
  return { ...schema, properties: Object.fromEntries(bounded) };
}
