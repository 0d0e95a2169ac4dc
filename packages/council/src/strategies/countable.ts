import { canonical } from "../canonical/canonical.ts";
import { type AnswerForm, findOption } from "../prompts/answer-schemas.ts";
import type { CouncilMetadata } from "../result.ts";
import type { Run } from "../run.ts";
import { countClusters } from "../voting/clusters.ts";
import type { Judgement } from "./judge.ts";
import type { Proposal } from "./proposals.ts";

/**
 * The answers of the seats that the judge may choose from, most seats first: a judge that words a countable answer anew makes it a
 * sentence, or another answer. Empty for open questions, whose answer is the judge's own. On a matter of fact the majority of the seats
 * decides and the judge explains, so that one judge cannot spoil what most seats know.
 */
export function answersToChooseFrom(
  direct: Run["direct"],
  proposals: readonly Proposal[],
  { object }: AnswerForm,
  question: string,
): readonly string[] {
  if (object || direct === undefined || !proposals.every(isCountable)) return [];
  const clusters = countClusters(
    proposals.map(({ answer, picked }) => ({
      answer,
      key: picked ? answer : canonical(answer, question).key,
    })),
  );
  const [first] = clusters;
  const isMajority = first !== undefined && first.votes > proposals.length / 2;
  return (direct === "fact" && isMajority ? [first] : clusters).map(({ answer }) => answer);
}

export const areDifferent = (proposals: readonly Proposal[], question: string) =>
  new Set(proposals.map(({ answer, key }) => key ?? canonical(answer, question).key)).size > 1;

/** Short enough to be compared: a name, a number, a choice. */
const MAX_COUNTABLE_WORDS = 8;

const isCountable = ({ answer, picked }: Proposal) =>
  picked || canonical(answer).kind !== "text" || answer.split(/\s+/).length <= MAX_COUNTABLE_WORDS;

/** What stands without a judge: the only answer that it could have chosen. */
export const undisputed = (answers: readonly string[]): string | null =>
  answers.length === 1 ? answers[0]! : null;

/** What the judge decided for: one of `answers` where there are some, else its own words for it. */
export function decisionOf(
  { verdict, model }: Judgement,
  { choices }: AnswerForm,
  answers: readonly string[],
  question: string,
): { readonly answer: CouncilMetadata["answer"]; readonly warning?: string } {
  const named = verdict.answer;
  if (typeof named !== "string") return { answer: named };
  if (answers.length === 0) {
    const answer = named || verdict.decision.trim();
    return { answer: findOption(choices, answer, question) ?? answer };
  }
  const chosen = find(answers, named, question) ?? onlyOneIn(named || verdict.decision, answers);
  if (chosen !== undefined) return { answer: chosen };
  const [supported] = answers;
  const what =
    named === "" ? "named no answer" : `answered ${JSON.stringify(named.slice(0, 100))}, as no seat did`;
  return {
    answer: supported!,
    warning: `The judge ${model} ${what}; the best-supported answer of the seats stands.`,
  };
}

const find = (answers: readonly string[], named: string, question: string) =>
  answers.find((answer) => answer === named) ??
  answers.find((answer) => canonical(answer, question).key === canonical(named, question).key);

/**
 * The one that a text names, as words of its own, and no other: of the judge's answer where it put one into a sentence, else of its
 * decision. Where it answered something else, a seat's answer that its decision also mentions may be the one it refuses; so may one in a
 * sentence that denies something.
 */
function onlyOneIn(text: string, answers: readonly string[]): string | undefined {
  const all = wordsOf(text);
  const named = answers.filter((answer) => all.includes(wordsOf(answer)));
  const [only] = named;
  if (only === undefined || named.length > 1) return undefined;
  // Once: there may be as many sentences as the answer has letters.
  const words = wordsOf(only);
  const sentences = text
    .split(/(?<=[.!?;])\s|(?<=[\n。！？])/)
    .filter((sentence) => wordsOf(sentence).includes(words));
  // An answer may deny something itself: "not guilty".
  const denies = (sentence: string) => DENIAL.test(sentence.replaceAll(only, " ").toLowerCase());
  return sentences.some(denies) ? undefined : only;
}

const DENIAL =
  /(?<!\p{L})(?:not|never|no|none|nor|neither|cannot|without|wrong|incorrect|false|invalid|except|but|instead|rather|unlikely|hardly|refuse[sd]?|reject(?:s|ed)?|rule[sd]? out|nicht|kein\p{L}*|nie|falsch|weder|sondern|non|pas|jamais|faux|sauf|ni|nunca|tampoco|sino|incorrecto|falso|sin|não|nem|errad[oa]|incorreto|sem|не|нет|ни)(?!\p{L})|n['’]t(?!\p{L})|[不没沒非错錯]|ない|なく|違|誤/u;

/** Whether the answer stands in a text as words of its own. */
export const names = (text: string, answer: string) => wordsOf(text).includes(wordsOf(answer));

/** With a blank around each: 4 is not named by 14, nor by 4.5. Where scripts put no blanks between words, characters are compared. */
const wordsOf = (text: string) => ` ${(text.toLowerCase().match(WORD) ?? []).join(" ")} `;
const WORD =
  /[-+]?\d+(?:[.,]\d+)*|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{M}\p{N}])+|\S/gu;
