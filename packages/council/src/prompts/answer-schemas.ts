import { z } from "zod";
import type { AnswerObject, CompiledAnswerSchema } from "../answer-schema/compile.ts";
import type { AnswerSchema } from "../model.ts";

/**
 * The schemas of answers. The reasons come before the answer in each, so that a model thinks before it commits itself. Length
 * limits stay out of them: providers' strict modes accept only plain shapes. Models leave out or add fields where a provider does
 * not enforce the schema, so unknown fields are ignored, and only what is counted is required.
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
  readonly object?: CompiledAnswerSchema;
}

export function voteSchema({ choices, object }: AnswerForm): z.ZodType<Vote> {
  if (object) return z.object({ rationale, answer: object.zod });
  return choices.length === 0 ? freeVote : oneOf<Vote>(choices, { rationale });
}

export function seatSchema({ choices, object }: AnswerForm): z.ZodType<Seat> {
  if (object) return z.object({ proposal: filled, answer: object.zod });
  return choices.length === 0 ? freeSeat : oneOf<Seat>(choices, { proposal: filled });
}

export function verdictSchema({ object }: AnswerForm): z.ZodType<Verdict> {
  return object ? verdict.extend({ answer: object.zod }) : verdict;
}

/** One of the choices found; "other" keeps a wrong guess at them from forcing a wrong answer. */
function oneOf<T extends Choice>(choices: readonly string[], reasons: z.ZodRawShape): z.ZodType<T> {
  const schema = z.object({ ...reasons, answer: option([...choices, OTHER]), other: maybeText });
  // "other" alone answers nothing, unless it was offered.
  const namesOther = ({ answer, other }: T) =>
    answer !== OTHER || choices.includes(OTHER) || Boolean(other?.trim());
  return (schema as z.ZodType as z.ZodType<T>).refine(namesOther, {
    path: ["other"],
    message: "must name the other answer",
  });
}

/** Matches regardless of case and surrounding blanks, where that leaves one option. */
function option(options: readonly string[]) {
  const fold = (value: string) => value.trim().toLowerCase();
  return z.preprocess((value) => {
    const given = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    if (typeof given !== "string" || options.includes(given)) return given;
    const matching = options.filter((one) => fold(one) === fold(given));
    return matching.length === 1 ? matching[0] : given;
  }, z.enum(options));
}

/** An answer as it is counted. */
export interface GivenAnswer {
  /** As text; of an object, the part that is voted on. */
  readonly answer: string;
  /** As it is handed out. */
  readonly value: string | AnswerObject;
  /** Whether it is one of the choices. */
  readonly picked: boolean;
  /** Equal for objects that are one vote. */
  readonly key?: string;
}

export function readAnswer({ answer, other }: Choice, { choices, object }: AnswerForm): GivenAnswer {
  if (typeof answer !== "string")
    return { answer: object!.label(answer), value: answer, picked: false, key: object!.key(answer) };
  const text = answer === OTHER && other?.trim() && choices.length > 0 ? other.trim() : answer;
  const shown = trimAnswer(text);
  return { answer: shown, value: shown, picked: choices.length > 0 && text === answer };
}

/** Without blanks and empty lines around it. The first line of several keeps its indentation, which code may need. */
function trimAnswer(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes("\n") ? text.trimEnd().replace(/^\s*\n/, "") : trimmed;
}

/** In this order, so that the judge compares before deciding. */
const verdict = z.object({
  consensus: list,
  contradictions: list,
  gaps: list,
  dissent: list,
  decision: filled,
  /** The decision in a few words; absent where the judge left it out. */
  answer: z.preprocess((value) => (typeof value === "string" ? value.trim() : ""), text),
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
export const toolChoiceSchema = (tools: readonly string[]) => z.object({ rationale, tool: option(tools) });

/**
 * The schema as a provider gets it: plain JSON Schema in which every property is required, as strict modes demand. A caller's schema
 * of `answer` stands in it as the caller wrote it.
 */
export function toAnswerSchema(name: string, schema: z.ZodType, object?: CompiledAnswerSchema): AnswerSchema {
  const jsonSchema = toJsonSchema(schema);
  if (object === undefined) return { name, jsonSchema };
  const properties = { ...jsonSchema.properties, answer: object.jsonSchema };
  // Endpoints learn what they take by name: another schema is another lesson.
  return { name: `${name}_object`, jsonSchema: { ...jsonSchema, properties } };
}

/** A conversion takes as long as reading a reply, and most schemas here are the same in every run. */
const converted = new WeakMap<z.ZodType, JsonSchema>();
type JsonSchema = AnswerSchema["jsonSchema"] & { readonly properties?: object };

function toJsonSchema(schema: z.ZodType): JsonSchema {
  const known = converted.get(schema);
  if (known) return known;
  const { $schema, ...jsonSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: part }) => {
      if (part.properties) part.required = Object.keys(part.properties);
    },
  });
  converted.set(schema, jsonSchema);
  return jsonSchema;
}
