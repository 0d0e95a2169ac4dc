import { letteredOptions, readMark } from "./lettered-options.ts";
import { parseNumber } from "./number.ts";
import { plain } from "./plain.ts";
import { findUnit } from "./unit.ts";

/**
 * The answer without what it only repeats from the question: "The capital of France is Paris." to "What is the capital of France?" is
 * "Paris", "B" to "… A) Venus B) Mercury" is "Mercury". What is left unsure stays as it is: a wrong merge elects a wrong answer.
 */
export function bareAnswer(answer: string, prompt: string): string {
  if (answer.length > MAX_CHARS) return answer;
  const question = withoutForm(prompt);
  const option = lettered(answer, question);
  if (option !== undefined) return option;
  const text = plain(answer);
  const bare = yesOrNo(text, question) ?? predicate(text, question) ?? result(text, question);
  return withUnitAskedFor(bare ?? text, question) ?? bare ?? answer;
}

const MAX_CHARS = 300;
/** How to answer is not part of what is asked: "What is 3 + 4? Answer with the number only." */
const withoutForm = (prompt: string) =>
  prompt
    .replace(/(?<=\?)\s+(?:please\s+)?(?:answer|reply|respond)\s[^?\n]{1,100}$/i, "")
    .replace(/(?<=\?)\s+\(?(?:yes or no|true or false|yes\/no|true\/false)\)?[?.]?\)?\s*$/i, "");
const fold = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+*/=-]+/gu, " ")
    .trim();

/**
 * "B", "(b)", "Option B", "B) Mercury" and "Mercury" are one of lettered options. A letter alone stands for itself where it is an option,
 * too: after "A) O B) A C) B", "B" may be both.
 */
function lettered(answer: string, question: string): string | undefined {
  const options = letteredOptions(question);
  const read = options.size === 0 ? undefined : readMark(answer);
  const option = options.get(read?.mark ?? "");
  if (read === undefined || option === undefined) return undefined;
  const written = (text: string) => plain(text).toLowerCase();
  const [same, ...more] = [...options.values()].filter(
    (one) => written(one) === written(read.rest || read.mark),
  );
  if (read.rest !== "") return same === option && more.length === 0 ? option : undefined;
  return same === undefined || same === option ? option : undefined;
}

/** "Yes, the Earth is round." to a question that asks whether. What restricts it says more than yes, and what takes it back something else. */
function yesOrNo(text: string, question: string): string | undefined {
  const [, word, rest = ""] = /^(yes|no)[,.;]\s*(.*)$/i.exec(text) ?? [];
  if (word === undefined || !POLAR.test(question.trim()) || RESTRICTS.test(rest)) return undefined;
  const words = fold(rest).split(/\s+/);
  return words.length <= MAX_REST_WORDS && !takesBack(word.toLowerCase(), words, question) ? word : undefined;
}

/** "Yes, it is not." and "No, the Earth is round.": an answer that says both. */
function takesBack(word: string, rest: readonly string[], question: string): boolean {
  const negated = rest.some((one) => NEGATION.test(one));
  if (rest.includes(word === "yes" ? "no" : "yes") || (word === "yes" && negated)) return true;
  // What a "no" without a negation says must be something else than what was asked.
  const asked = new Set([...fold(question).split(" "), ...PRONOUNS]);
  return word === "no" && !negated && rest.some(Boolean) && rest.every((one) => asked.has(one));
}

/** "isn t" after folding. */
const NEGATION =
  /^(?:not|no|never|none|nothing|nobody|nowhere|neither|nor|cannot|hardly|t|(?:is|are|was|were|do|does|did|ca|could|has|have|had|wo|would|should|must)nt?)$/;
const PRONOUNS = [
  "it",
  "is",
  "are",
  "was",
  "were",
  "does",
  "do",
  "did",
  "can",
  "that",
  "this",
  "they",
  "he",
  "she",
  "so",
  "indeed",
  "really",
];
const MAX_REST_WORDS = 10;
const POLAR =
  /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|must)\s[^.?!]*\?$/i;
const RESTRICTS =
  /\b(?:but|unless|if|except|only|however|although|though|depends?|sometimes|partly|usually|mostly|almost|when|while|or)\b|\d/i;

/** "It is Paris", "The capital of France is Paris", "Paris is the capital of France". */
function predicate(text: string, question: string): string | undefined {
  const pronoun = /^(?:it|that|this)(?:'s|\s+is|\s+was)\s+(\S.*)$/i.exec(text)?.[1];
  if (pronoun !== undefined) return unlessNegated(pronoun);
  const subject = subjectOf(question);
  const [, left = "", right = ""] = /^(.{1,150}?)\s+(?:is|are|was|were)\s+(.{1,150})$/i.exec(text) ?? [];
  if (subject === undefined || left === "") return undefined;
  if (saysSubject(left, subject)) return unlessNegated(right);
  return saysSubject(right, subject) ? unlessNegated(left) : undefined;
}

/** "Australia's capital" for "the capital of Australia", too. */
function saysSubject(text: string, subject: string): boolean {
  const [, owner, owned] = /^(\S.{0,60}?)'s\s+(\S.{0,60})$/.exec(text) ?? [];
  return fold(text) === subject || (owner !== undefined && fold(`the ${owned} of ${owner}`) === subject);
}

const unlessNegated = (text: string) =>
  /^(?:not|never|no longer|neither|n't)\b/i.test(text) ? undefined : text;

/** What a question asks for: "the capital of france". */
function subjectOf(question: string): string | undefined {
  const found = /^(?:what|who|which|where)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+([^?]{1,150})\?$/i.exec(
    question.trim(),
  )?.[1];
  return found && fold(found);
}

/** "17 + 25 = 42" and "17 + 25 equals 42" where the question has the sum. */
function result(text: string, question: string): string | undefined {
  const [, left, right] =
    /^([\d\s.,+*/×÷()-]{3,60}?)\s*(?:=|equals|is)\s*(-?[\d.,]{1,30})$/i.exec(text.replaceAll("**", "")) ?? [];
  if (left === undefined || right === undefined) return undefined;
  return asksFor(asSigns(left), asSigns(question)) ? right : undefined;
}

/** Whether a calculation stands in the question as a whole: 2+3 is a step of 2+3*4, and no part of 12+3. */
function asksFor(calculation: string, question: string): boolean {
  for (let at = question.indexOf(calculation); at >= 0; at = question.indexOf(calculation, at + 1)) {
    const [before, after] = [question.slice(0, at), question.slice(at + calculation.length)];
    if (!/[\d.,+*/()^-]$/.test(before) && !/^(?:[\d+*/()^-]|[.,]\d)/.test(after)) return true;
  }
  return false;
}

/** "2000" to "How many metres are in 2 km?" is "2000 metres". */
function withUnitAskedFor(text: string, question: string): string | undefined {
  const unit = /^how (?:many|much) (\S{1,30})\s[^?]*\?$/i.exec(question.trim())?.[1];
  if (unit === undefined || findUnit(unit) === undefined) return undefined;
  return parseNumber(text) && `${text} ${unit}`;
}

/** "12 times 12" and "12 × 12" as "12*12". */
const asSigns = (text: string) =>
  text
    .replace(/\s(?:times|multiplied by)\s|×/gi, "*")
    .replace(/\sdivided by\s|÷/gi, "/")
    .replace(/\splus\s/gi, "+")
    .replace(/\sminus\s/gi, "-")
    .replace(/\s+/g, "");
