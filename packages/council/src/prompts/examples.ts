import type { AnswerForm } from "./answer-schemas.ts";
import type { Wording } from "./wordings.ts";

/** A request, its answer in a sentence, and the answer; all ours. */
type Example = readonly [request: string, rationale: string, answer: string];

/**
 * Small models follow an example where they repeat an instruction. The sentence is as they write by themselves, "3 + 4 = 7" or "The
 * capital of … is …": asked for the answer alone, they copy a word of the question. Neighbours differ in kind and in the place of the
 * right option, so that neither is taken for the rule.
 */
const FREE: readonly Example[] = [
  ["What is the largest city of Brazil?", "The largest city of Brazil is São Paulo.", "São Paulo"],
  ["What is 512 + 375?", "512 + 375 = 887", "887"],
  [
    "What is the name of the thief: Otto saw how Lena stole the lamp.",
    "The name of the thief is Lena.",
    "Lena",
  ],
  ["What is 23 + 64?", "23 + 64 = 87", "87"],
  ["Which ocean is west of Portugal?", "The ocean west of Portugal is the Atlantic.", "Atlantic"],
  ["What is 6 times 7?", "6 * 7 = 42", "42"],
];

const CHOICES: readonly Example[] = [
  ["Is a feather heavy or light?", "A feather is light.", "light"],
  ["Is a rose a flower or a stone?", "A rose is a flower.", "flower"],
  ["Is a lamp a fruit or a device?", "A lamp is a device.", "device"],
  ["Which is softer, wool or iron?", "Wool is softer than iron.", "wool"],
  ["Which of these is a tree? A) table B) oak C) wall", "An oak is a tree.", "oak"],
  ["Which of these can sing? A) nightingale B) brick C) bottle", "A nightingale can sing.", "nightingale"],
];

const YES_OR_NO: readonly Example[] = [
  ["Is the night bright?", "The night is dark.", "no"],
  ["Do dogs bark?", "Dogs bark.", "yes"],
  ["Can stones swim?", "Stones sink in water.", "no"],
  ["Is sugar sweet?", "Sugar is sweet.", "yes"],
  ["Is a car alive?", "A car is a machine.", "no"],
  ["Do clocks show the time?", "Clocks show the time.", "yes"],
];

/** Two of them, each with its reply. Each wording has others, so that samples which copy an example do not agree. */
export function examplesFor(
  { choices }: AnswerForm,
  { examples: index }: Wording,
): readonly (readonly [request: string, reply: string])[] {
  const all = choices.length === 0 ? FREE : choices.includes("yes") ? YES_OR_NO : CHOICES;
  return [all[index % all.length]!, all[(index + 1) % all.length]!].map(([request, rationale, answer]) => [
    request,
    JSON.stringify({ rationale, answer }),
  ]);
}
