import { z } from "zod";
import type { AnswerSchema } from "../model.ts";

/** The shapes answers must have. Length limits stay out of them: providers' strict modes know only plain shapes. */

const text = z.string();
const filled = text.refine((text) => text.trim() !== "", "must not be empty");
const maybe = text.nullish();

export const OTHER = "other";

interface Pick {
  readonly answer: string;
  readonly other?: string | null;
}

type Vote = Pick & { readonly rationale: string };
type Seat = Pick & { readonly proposal: string };

const freeVote: z.ZodType<Vote> = z.strictObject({ answer: filled, rationale: text });
const freeSeat: z.ZodType<Seat> = z.strictObject({ answer: filled, proposal: filled });

export const voteSchema = (choices: readonly string[]) =>
  choices.length === 0 ? freeVote : pickOne<Vote>(choices, { rationale: text });

export const seatSchema = (choices: readonly string[]) =>
  choices.length === 0 ? freeSeat : pickOne<Seat>(choices, { proposal: filled });

/** One of the choices found; "other" keeps a wrong guess at them from forcing a wrong answer. */
function pickOne<T extends Pick>(choices: readonly string[], more: z.ZodRawShape): z.ZodType<T> {
  const schema = z.strictObject({ answer: z.enum([...choices, OTHER]), other: maybe, ...more });
  // "other" alone answers nothing, unless it was offered.
  const saysWhich = ({ answer, other }: T) =>
    answer !== OTHER || choices.includes(OTHER) || Boolean(other?.trim());
  return (schema as z.ZodType as z.ZodType<T>).refine(saysWhich, {
    path: ["other"],
    message: "must say which",
  });
}

/** What was answered, and whether it is one of the choices. */
export function readAnswer(value: Pick): {
  answer: string;
  picked: boolean;
} {
  const { answer, other } = value;
  if (other === undefined) return { answer, picked: false };
  return answer === OTHER && other?.trim()
    ? { answer: other.trim(), picked: false }
    : { answer, picked: true };
}

/** In this order, so that the judge compares before deciding. */
export const verdict = z.strictObject({
  consensus: z.array(z.string()),
  contradictions: z.array(z.string()),
  gaps: z.array(z.string()),
  positions: z.array(z.strictObject({ position: z.string(), proposals: z.array(z.string()) })),
  dissent: z.array(z.string()),
  decision: filled,
});
export type Verdict = z.infer<typeof verdict>;

export const decomposition = z.strictObject({
  task: filled,
  total_steps: z.number(),
  steps: z.array(
    z.strictObject({
      id: z.number(),
      action: filled,
      input: z.string().nullish(),
      output: z.string().nullish(),
      dependencies: z.array(z.number()),
    }),
  ),
});

export const equivalence = z.strictObject({ same: z.boolean() });
export const paraphrase = z.strictObject({ question: filled });
export const toolChoiceSchema = (tools: readonly string[]) => z.strictObject({ tool: z.enum(tools) });

/** The schema as a provider gets it: plain JSON Schema in which every property is required, as strict modes demand. */
export function toAnswerSchema(name: string, schema: z.ZodType): AnswerSchema {
  const { $schema, ...jsonSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: part }) => {
      if (part.properties) part.required = Object.keys(part.properties);
    },
  });
  return { name, jsonSchema };
}
