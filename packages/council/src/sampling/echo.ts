import { isObject } from "@mci-ts/primitives/is-object";
import { markIn } from "../prompts/delimiter.ts";
import { REQUEST_HEADINGS } from "../prompts/messages.ts";

/** What a reply must not merely repeat. */
export interface EchoSources {
  /** Our own sentences, and the descriptions in the schema. */
  readonly instructions: string;
  /** The caller's request. */
  readonly question: string;
}

/**
 * Weak models repeat what they are given instead of following it: an instruction, the schema, the question. Such a reply answers
 * nothing, however valid it is. `fields`: the reply as an object. Returns what is repeated, or undefined.
 */
export function findEcho(
  fields: Readonly<Record<string, unknown>>,
  sources: EchoSources,
): string | undefined {
  const instructions = recentInstructions.of(sources.instructions);
  const mark = markIn(sources.instructions);
  for (const [name, text] of textsOf(fields)) {
    const words = wordsOf(text);
    if (mark !== undefined && repeatsMark(name, text, mark))
      return `${name} repeats the mark around the material`;
    if (repeatsInstruction(words, instructions) || isHeading(text)) return `${name} repeats the instructions`;
    if (ANSWERING.has(name) && isPlaceholder(text, fields, sources.question))
      return `${name} is a placeholder, not an answer`;
    if (SCHEMA_KEYWORD.test(text)) return `${name} repeats the schema`;
    if (ANSWERING.has(name) && repeatsQuestion(text, sources.question)) return `${name} repeats the question`;
  }
  return undefined;
}

/** All that stands in instructions, by its number of words: a reply may have thousands of texts. */
type Instructions = ReadonlyMap<number, ReadonlySet<string>>;

/** The samples of a vote, and the steps of a task, share their instructions and their question: one for each wording. */
class Recent<T> {
  readonly #known = new Map<string, T>();
  readonly #read: (text: string) => T;

  constructor(read: (text: string) => T) {
    this.#read = read;
  }

  of(text: string): T {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const read = this.#read(text);
    if (this.#known.size >= MAX_RECENT) this.#known.clear();
    this.#known.set(text, read);
    return read;
  }
}
const MAX_RECENT = 16;

const recentInstructions = new Recent<Instructions>((text) => {
  const words = wordsOf(withoutQuotations(text));
  return new Map([MIN_WORDS, 4, RUN_OF_WORDS].map((length) => [length, new Set(runsOf(words, length))]));
});
/** The question and its sentences that ask, of a length that a reply repeats: their words with a blank between each. */
const recentParts = new Recent((question) =>
  [question, ...sentencesThatAsk(question)]
    .filter(({ length }) => length <= 3 * MAX_ECHO_CHARS)
    .map((part) => ({ length: part.length, line: withBlanks(signsOf(part)) })),
);

/** Fields that answer the question; a plan's `task` and a reworded `question` rightly say what was asked. */
const ANSWERING = new Set(["answer", "other", "proposal", "decision"]);
const SCHEMA_KEYWORD = /^\s*\{\s*"(?:\$schema|type|properties|required|description)"\s*:/;

/** "[your answer here]". What may be a right answer, such as a type or dots, is none only where the reasons say nothing either. */
function isPlaceholder(text: string, fields: Readonly<Record<string, unknown>>, question: string): boolean {
  const reply = text.trim();
  if (question.toLowerCase().includes(reply.toLowerCase())) return false;
  const { rationale, proposal = rationale } = fields;
  return PLACEHOLDER.test(reply) || (EMPTY_FORM.test(reply) && EMPTY_FORM.test(String(proposal).trim()));
}

const PLACEHOLDER =
  /^[<[({]{1,2}\s*(?:(?:your|the|final|short|bare|right|correct)\s){0,3}answer(?:\s(?:goes )?here)?\s*[>\])}]{1,2}$|^your (?:final |short )?answer(?:\s(?:goes )?here)?\.{0,3}$/i;
const EMPTY_FORM = /^(?:string|text|<string>|\.{2,}|…)$/i;

/** The texts of an object, and of the object that is its answer. */
function textsOf(fields: Readonly<Record<string, unknown>>): readonly [string, string][] {
  const { answer } = fields;
  const inside = isObject(answer)
    ? Object.entries(answer).map(([name, value]): [string, unknown] => [`answer.${name}`, value])
    : [];
  return [...Object.entries(fields), ...inside].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].trim() !== "",
  );
}

/** Fewer words than these may be an answer that our sentences happen to contain. */
const MIN_WORDS = 3;
/** So many words in a row are taken from a text, not found by chance. */
const RUN_OF_WORDS = 5;

function repeatsInstruction(words: readonly string[], instructions: Instructions): boolean {
  if (words.length < MIN_WORDS) return false;
  const length = Math.min(words.length, RUN_OF_WORDS);
  const runs = runsOf(words, length);
  return runs.filter((run) => instructions.get(length)!.has(run)).length > runs.length / 2;
}

/** The line before the request. One word is a heading only with its colon. */
const isHeading = (text: string) =>
  REQUEST_HEADINGS.some((heading) => {
    const bare = heading.slice(0, -1).toLowerCase();
    const reply = text.trim().toLowerCase();
    return reply === heading.toLowerCase() || (bare.includes(" ") && reply === bare);
  });

const runsOf = (words: readonly string[], length: number) =>
  words.slice(length - 1).map((_, i) => words.slice(i, i + length).join(" "));

/** No answer holds it; a longer text may mention it beside what it says. */
function repeatsMark(name: string, text: string, mark: string): boolean {
  if (!text.includes(mark)) return false;
  return /^(?:answer|other)\b/.test(name) || text.replaceAll(mark, "").length < text.length / 2;
}

/**
 * The question itself, a sentence of it that asks, or all of it but the words that ask: "123 + 89" to "What is 123 + 89?". Also the same
 * as a list, with a question mark after it, or with nothing after a colon.
 */
function repeatsQuestion(text: string, question: string): boolean {
  if (text.length > MAX_ECHO_CHARS) return false;
  if (asksBack(text, question) || endsBeforeItSays(text, question)) return true;
  const words = signsOf(text.replace(LIST_MARKERS, ""));
  const reply = withBlanks(words.slice(words.findIndex((word) => !ASKING.has(word))));
  if (reply.trim().split(" ").length < 2) return false;
  return recentParts.of(question).some(({ length, line }) => {
    if (length > 2 * text.length + MAX_ECHO_CHARS) return false;
    const isPart = line.includes(reply) && isOnlyAsking(line.replace(reply, " "));
    const isRepeated =
      line.trim().split(" ").length >= MIN_WORDS && isOnlyAsking(reply.replaceAll(line.trimEnd(), ""));
    return isPart || isRepeated;
  });
}

/** Any other sentence of a question is material that an answer may quote. */
const sentencesThatAsk = (question: string) =>
  question.split(/(?<=[.?!。？！؟])\s+/).filter((part) => QUESTION_MARK.test(part) || INSTRUCTING.test(part));
const QUESTION_MARK = /[?？؟]["'”’»)\]*_]*\s*$/;
const INSTRUCTING =
  /^(?:please |just |only )?(?:answer|reply|respond|give|say|tell|name|write|state|calculate|compute|evaluate|solve|find)\b/i;
const LIST_MARKERS = /^[ \t]{0,8}(?:\d{1,2}[.)]|[-*•])[ \t]/gm;

/** A question back in nearly the words of a question that is all of the request. */
function asksBack(text: string, question: string): boolean {
  if (CJK_ASKING.test(text) && question.includes(text.trim()) && !HAS_MATERIAL.test(question.trim()))
    return true;
  if (![text, question].every((one) => QUESTION_MARK.test(one) && !HAS_MATERIAL.test(one.trim())))
    return false;
  const beginnings = new Set(beginningsOf(question));
  const back = beginningsOf(text);
  return back.length > 0 && back.filter((word) => beginnings.has(word)).length > back.length / 2;
}

/** Words that ask, in scripts whose questions need no mark. */
const CJK_ASKING = /どこ|なに|何|だれ|誰|いつ|どれ|どの|なぜ|いくつ|いくら|什么|什麼|哪|谁|多少|几|吗|嗎/;

/** Something to be turned into a question, perhaps. */
const HAS_MATERIAL = /[:\n"“”«»「」'‘]|[.?!。？！؟]\s/u;

/** "The answer to this question is:" */
function endsBeforeItSays(text: string, question: string): boolean {
  if (!/[:：]\s*$/.test(text)) return false;
  const words = wordsOf(text);
  const questionWords = new Set(wordsOf(question));
  return words.length >= MIN_WORDS && words.every((word) => questionWords.has(word) || ASKING.has(word));
}

const isOnlyAsking = (words: string) => words.split(" ").every((word) => word === "" || ASKING.has(word));
const withBlanks = (words: readonly string[]) => ` ${words.join(" ")} `;

/** A longer text says more than the question. */
const MAX_ECHO_CHARS = 1000;

const ASKING = new Set(
  [
    "what what's whats who which where when how much many is are was were do does did a an the value result of please tell me calculate compute evaluate solve find answer question equals name give",
    "was ist wie heißt wer wo wann welche welcher welches der die das",
    "quel quelle est qui où quand combien le la les qu l cuál cual es qué quién dónde cuándo cuánto el los las qual quem onde quando quanto chi dove il lo o e",
  ]
    .join(" ")
    .split(" "),
);

/** What stands in quotes in our instructions came from the caller: the choices. */
const withoutQuotations = (text: string) => text.replace(/"(?:[^"\\\n]|\\.)*"?/g, " | ");

/** Only letters and digits count. */
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_']+|\|/gu) ?? [];
/** Signs of arithmetic count as well. */
const signsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_']+|[-+*/^×÷%=<>]/gu) ?? [];
/** The first letters of each word, whatever its ending; signs of Chinese and Japanese one by one. */
const beginningsOf = (text: string) =>
  (text.toLowerCase().match(BEGINNINGS) ?? []).map((word) => word.slice(0, BEGINNING));
const BEGINNING = 4;
const BEGINNINGS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}])+/gu;
