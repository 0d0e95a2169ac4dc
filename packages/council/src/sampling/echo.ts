import { isObject } from "@mci-ts/primitives/is-object";
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
  const instructions = instructionWords(sources.instructions);
  for (const [name, text] of textsOf(fields)) {
    const words = wordsOf(text);
    if (repeatsInstruction(words, instructions)) return `${name} repeats the instructions`;
    if (SCHEMA_KEYWORD.test(text)) return `${name} repeats the schema`;
    if (ANSWERING.has(name) && repeatsQuestion(text, sources.question)) return `${name} repeats the question`;
  }
  return undefined;
}

/** The samples of a vote, and the steps of a task, share their instructions. */
let last = { text: "", words: [] as readonly string[] };

function instructionWords(text: string): readonly string[] {
  if (text !== last.text) last = { text, words: wordsOf(withoutQuotations(text)) };
  return last.words;
}

/** Fields that answer the question; a plan's `task` and a reworded `question` rightly say what was asked. */
const ANSWERING = new Set(["answer", "other", "proposal", "decision"]);
const SCHEMA_KEYWORD = /^\s*\{\s*"(?:\$schema|type|properties|required|description)"\s*:/;

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

function repeatsInstruction(words: readonly string[], instructions: readonly string[]): boolean {
  if (words.length < MIN_WORDS || instructions.length === 0) return false;
  if (` ${instructions.join(" ")} `.includes(` ${words.join(" ")} `)) return true;
  if (words.length < RUN_OF_WORDS + 1) return false;
  const instructionRuns = new Set(runsOf(instructions));
  const runs = runsOf(words);
  return runs.filter((run) => instructionRuns.has(run)).length > runs.length / 2;
}

const runsOf = (words: readonly string[]) =>
  words.slice(RUN_OF_WORDS - 1).map((_, i) => words.slice(i, i + RUN_OF_WORDS).join(" "));

/** The question itself, one of its sentences, or all of it but the words that ask: "123 + 89" to "What is 123 + 89?". */
function repeatsQuestion(text: string, question: string): boolean {
  if (text.length > MAX_ECHO_CHARS) return false;
  const words = signsOf(text);
  if (words.length < 2) return false;
  const reply = words.join(" ");
  return [question, ...question.split(/(?<=[.?!。？！])\s+/)].some((part) => {
    if (part.length > 2 * text.length + MAX_ECHO_CHARS) return false;
    const instruction = ` ${signsOf(part).join(" ")} `;
    const at = instruction.indexOf(` ${reply} `);
    if (at < 0) return false;
    const rest = `${instruction.slice(0, at)} ${instruction.slice(at + reply.length + 1)}`.split(" ");
    return rest.every((word) => word === "" || ASKING.has(word));
  });
}

/** A longer text says more than the question. */
const MAX_ECHO_CHARS = 1000;

const ASKING = new Set(
  "what what's whats who which where when how much many is are was were do does did a an the value result of please tell me calculate compute evaluate solve find answer question equals name give".split(
    " ",
  ),
);

/** What stands in quotes in our instructions came from the caller: the choices. */
const withoutQuotations = (text: string) => text.replace(/"(?:[^"\\\n]|\\.)*"?/g, " | ");

/** Only letters and digits count. */
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_']+|\|/gu) ?? [];
/** Signs of arithmetic count as well. */
const signsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_']+|[-+*/^×÷%=<>]/gu) ?? [];
