import { z } from "zod";
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
  readonly answer: string;
  readonly other?: string | null;
}

type Vote = Choice & { readonly rationale: string };
type Seat = Choice & { readonly proposal: string };

const freeVote: z.ZodType<Vote> = z.object({ rationale, answer: answerText });
const freeSeat: z.ZodType<Seat> = z.object({ proposal: filled, answer: answerText });

export const voteSchema = (choices: readonly string[]) =>
  choices.length === 0 ? freeVote : oneOf<Vote>(choices, { rationale });

export const seatSchema = (choices: readonly string[]) =>
  choices.length === 0 ? freeSeat : oneOf<Seat>(choices, { proposal: filled });

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

/** What was answered, and whether it is one of the choices. */
export function readAnswer(
  { answer, other }: Choice,
  choices: readonly string[],
): {
  answer: string;
  picked: boolean;
} {
  if (choices.length === 0) return { answer, picked: false };
  return answer === OTHER && other?.trim()
    ? { answer: other.trim(), picked: false }
    : { answer, picked: true };
}

/** In this order, so that the judge compares before deciding. */
export const verdict = z.object({
  consensus: list,
  contradictions: list,
  gaps: list,
  dissent: list,
  decision: filled,
  /** The decision in a few words; absent where the judge left it out. */
  answer: z.preprocess((value) => (typeof value === "string" ? value.trim() : ""), text),
});
export type Verdict = z.infer<typeof verdict>;

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

/** The schema as a provider gets it: plain JSON Schema in which every property is required, as strict modes demand. */
export function toAnswerSchema(name: string, schema: z.ZodType): AnswerSchema {
  const { $schema, ...jsonSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: part }) => {
      if (part.properties) part.required = Object.keys(part.properties);
    },
  });
  return { name, jsonSchema };
}
