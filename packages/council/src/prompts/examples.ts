import type { Message } from "../model.ts";
import type { AnswerForm } from "./answer-schemas.ts";
import type { Wording } from "./wordings.ts";

/** A request and its answer, both ours. */
type Example = readonly [request: string, answer: string];

/**
 * Small models follow an example where they repeat an instruction: with two of them a 135M model is right twice as often, and its
 * replies end. Neighbours differ in kind and in the place of the right option, so that neither is taken for the rule.
 */
const FREE: readonly Example[] = [
  ["What is 512 + 375?", "887"],
  ["Which river flows through Cairo?", "Nile"],
  ["How many eggs are two dozen?", "24"],
  ["Who painted the Mona Lisa?", "Leonardo da Vinci"],
  ["What is 40 minus 14?", "26"],
  ["What is the name of the thief: Otto saw how Lena stole the lamp.", "Lena"],
];

const CHOICES: readonly Example[] = [
  ["Is a feather heavy or light?", "light"],
  ["Is a rose a flower or a stone?", "flower"],
  ["Is a lamp a fruit or a device?", "device"],
  ["Which is softer, wool or iron?", "wool"],
  ["Which of these is a tree? A) table B) oak C) wall", "oak"],
  ["Which of these can sing? A) nightingale B) brick C) bottle", "nightingale"],
];

const YES_OR_NO: readonly Example[] = [
  ["Is the night bright?", "no"],
  ["Do dogs bark?", "yes"],
  ["Can stones swim?", "no"],
  ["Is sugar sweet?", "yes"],
  ["Is a car alive?", "no"],
  ["Do clocks show the time?", "yes"],
];

/**
 * Two of them, as turns of a conversation. Each wording has others, so that samples which copy an example do not agree. Objects have
 * none: their schema is the caller's.
 */
export function examplesFor(
  { choices, object }: AnswerForm,
  { examples: index, heading }: Wording,
): readonly Message[] {
  if (object) return [];
  const all = choices.length === 0 ? FREE : choices.includes("yes") ? YES_OR_NO : CHOICES;
  return [all[index % all.length]!, all[(index + 1) % all.length]!].flatMap(([request, answer]) => [
    { role: "user", content: `${heading}\n${request}` },
    { role: "assistant", content: JSON.stringify({ answer }) },
  ]);
}
