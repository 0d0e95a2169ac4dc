import { ALIASES, INTENTS, type Intent } from "./synonyms.ts";
import { wordsOf } from "./words.ts";

/** What a query asks for. */
export interface Query {
  /** Its words, each once, with how much they count. */
  readonly terms: readonly { readonly word: string; readonly weight: number }[];
  /** All of them in their order, for pairs. */
  readonly words: readonly string[];
  readonly intent: Intent | "none";
}

/** Characters of a query that are looked at, and its words. */
const MAX_LENGTH = 1000;
const MAX_WORDS = 32;
/** A verb says more about which tool is meant than its object. */
const VERB_WEIGHT = 1.4;
/** "Who" and "my" stand for a user, but are often said by the way. */
const ALIAS_WEIGHT = 0.9;

const VERBS: ReadonlySet<string> = new Set([...INTENTS.keys()].flatMap(wordsOf));
const QUESTION_WORDS = new Set(
  "is are was were did do does has have can how why where when who which what whose my".split(" "),
);
/** What follows a verb in the imperative: "star a repository", "react to an issue". */
const AFTER_VERB = new Set(
  "a an the this that my our your his her their its some all one to on in out up off somebody someone everybody everyone me him them it us".split(
    " ",
  ),
);

/** `isKnown`: whether a tool has the word; "log in" is then "login", if one has that. */
export function readQuery(text: string, isKnown: (word: string) => boolean): Query {
  const query = text.slice(0, MAX_LENGTH);
  const words = wordsOf(query);
  const terms = new Map<string, number>();
  const undone = words.flatMap((word) =>
    /^un\p{L}{3}/u.test(word) && isKnown(word.slice(2)) ? ["remov", word.slice(2)] : [],
  );
  for (const word of [...words, ...undone, ...compoundsOf(query).filter(isKnown)]) {
    const alias = ALIASES.get(word);
    const term = alias !== undefined && isKnown(alias) ? alias : word;
    const weight = (term === word ? 1 : ALIAS_WEIGHT) * (VERBS.has(word) ? VERB_WEIGHT : 1);
    if (terms.size < MAX_WORDS) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  }
  return {
    terms: [...terms].map(([word, weight]) => ({ word, weight })),
    words: words.slice(0, MAX_WORDS),
    intent: intentOf(query),
  };
}

/** Two words written as one. */
function compoundsOf(query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, MAX_WORDS);
  return words.slice(1).flatMap((word, index) => wordsOf(words[index]! + word).slice(0, 1));
}

function intentOf(query: string): Intent | "none" {
  const [first = "", next = ""] = query
    .trim()
    .toLowerCase()
    .split(/[^a-z]+/, 2);
  if (QUESTION_WORDS.has(first)) return "reading";
  const intent = INTENTS.get(first);
  if (intent !== undefined) return intent;
  const isImperative = AFTER_VERB.has(next) && !/[^s]s$/.test(first);
  return isImperative ? "writing" : "none";
}
