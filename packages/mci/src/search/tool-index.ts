import type { Tool } from "../schema/tool.ts";
import { readQuery } from "./query.ts";
import { type Intent, SYNONYMS } from "./synonyms.ts";
import { wordsOf } from "./words.ts";

/*
 * BM25F with a few additions. A word counts more the rarer it is and the shorter the field it stands in; fields count by
 * their weight, and a word that is repeated counts less each time. Then: how much of a tool's name the query explains, word
 * pairs, the toolset that a query names, and whether it wants to read or to change something. The numbers were chosen by
 * measuring: bench/search/evaluate.ts.
 */

interface Field {
  readonly weight: number;
  /** How much less a long field counts: 0 not at all, 1 in proportion. */
  readonly lengthPenalty: number;
  readonly read: (tool: Tool) => string;
}

const FIELDS: readonly Field[] = [
  { weight: 5, lengthPenalty: 0.6, read: ({ name }) => name.slice(0, MAX_NAME) },
  { weight: 5, lengthPenalty: 0.6, read: (tool) => summaryOf(tool) },
  { weight: 0.7, lengthPenalty: 0.5, read: ({ description = "" }) => description.slice(0, MAX_DESCRIPTION) },
  { weight: 1.5, lengthPenalty: 0.5, read: ({ tags = [] }) => tags.slice(0, MAX_TAGS).join(" ") },
  { weight: 1, lengthPenalty: 0.5, read: (tool) => parametersOf(tool) },
];
/** What is looked at, so that a hostile file costs no more than a large one. */
const MAX_NAME = 300;
const MAX_DESCRIPTION = 400;
const MAX_TAGS = 20;
const MAX_PARAMETERS = 50;

/** What a word of the query counts that a tool has under another name. */
const SYNONYM_WEIGHT = 0.75;
/** What a word counts that begins like one of the query, or differs from it by a letter. */
const SIMILAR_WEIGHT = 0.5;
/** BM25's k1: how soon a repeated word stops to count. */
const SATURATION = 0.75;
/** Less than 1: everyday words that happen to be rare count less than in BM25. */
const RARITY_POWER = 0.6;
/** What two words count that stand side by side in the query and in the tool. */
const PAIR_BONUS = 0.9;
/** What tools gain from a query that names their toolset. */
const SOURCE_FACTOR = 4;
const SOURCE_BONUS = 0.3;

/** The words of one client's tools. Built once; a query is then a few lookups. */
export class ToolIndex {
  readonly #tools: readonly Tool[];
  /** For each word the tools that have it, in their order, and how much it counts in each. */
  readonly #postings = new Map<string, { readonly tools: number[]; readonly counts: number[] }>();
  /** For each word the tools that have it in their name. */
  readonly #named = new Map<string, Set<number>>();
  readonly #pairs = new Map<string, Set<number>>();
  /** For each word in the name of a toolset its tools. */
  readonly #sources = new Map<string, Set<number>>();
  readonly #nameRarity: Float64Array;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    const texts = FIELDS.map(({ read }) => tools.map((tool) => wordsOf(read(tool))));
    const averages = texts.map((words) => words.reduce((sum, { length }) => sum + length, 0) / tools.length);
    for (const tool of tools.keys()) {
      for (const [field, { weight, lengthPenalty }] of FIELDS.entries()) {
        const words = texts[field]![tool]!;
        const length = 1 - lengthPenalty + (lengthPenalty * words.length) / Math.max(1, averages[field]!);
        for (const word of words) this.#count(word, tool, weight / length);
        if (field <= 1) for (const pair of pairsOf(words)) addTo(this.#pairs, pair, tool);
      }
      for (const word of texts[0]![tool]!) addTo(this.#named, word, tool);
    }
    this.#nameRarity = new Float64Array(tools.length);
    for (const [word, named] of this.#named)
      for (const tool of named) this.#nameRarity[tool]! += this.#rarity(word);
    for (const [tool, { toolsetSource = "" }] of tools.entries())
      for (const word of wordsOf(toolsetSource)) addTo(this.#sources, word, tool);
  }

  /** The tools that have something of the query, best first, as indexes with their scores. */
  search(text: string): { readonly index: number; readonly score: number }[] {
    const { terms, words, intent } = readQuery(text, (word) => this.#postings.has(word));
    const scores = new Float64Array(this.#tools.length);
    /** How much of each name the query explains. */
    const explained = new Float64Array(this.#tools.length);
    for (const { word, weight } of terms)
      if (!this.#sources.has(word)) this.#addScores(word, weight, scores, explained);
    for (const pair of pairsOf(words))
      for (const tool of this.#pairs.get(pair) ?? []) scores[tool]! += PAIR_BONUS;
    for (const [tool, total] of this.#nameRarity.entries())
      if (total > 0) scores[tool]! *= 1 + Math.min(1, explained[tool]! / total);
    for (const { word } of terms)
      for (const tool of this.#sources.get(word) ?? [])
        scores[tool] = scores[tool]! * SOURCE_FACTOR + SOURCE_BONUS;
    const found: { index: number; score: number }[] = [];
    for (const [index, score] of scores.entries())
      if (score > 0) found.push({ index, score: score * intentFactor(intent, this.#tools[index]!) });
    return found.sort((a, b) => b.score - a.score || a.index - b.index);
  }

  /** Each tool gets the best of what the word itself, a synonym or a similar word gives it. */
  #addScores(word: string, weight: number, scores: Float64Array, explained: Float64Array): void {
    const own = this.#rarity(word);
    const best = new Map<number, number>();
    const inName = new Map<number, number>();
    const add = (variant: string, share: number) => {
      const variantRarity = this.#rarity(variant);
      // A rare synonym says no more than the word that was asked for.
      const rarity = share * Math.min(own, variantRarity);
      const { tools, counts } = this.#postings.get(variant) ?? NONE;
      for (const [position, tool] of tools.entries()) {
        const count = counts[position]!;
        raise(best, tool, (rarity * count * (SATURATION + 1)) / (count + SATURATION));
      }
      for (const tool of this.#named.get(variant) ?? []) raise(inName, tool, share * variantRarity);
    };
    add(word, 1);
    for (const synonym of SYNONYMS.get(word) ?? []) add(synonym, SYNONYM_WEIGHT);
    if (!this.#postings.has(word)) for (const similar of this.#similar(word)) add(similar, SIMILAR_WEIGHT);
    for (const [tool, score] of best) scores[tool]! += weight * score;
    for (const [tool, share] of inName) explained[tool]! += share;
  }

  /** For words that no tool has: those with the same beginning, and those one typing mistake away. */
  #similar(word: string): string[] {
    if (word.length < 4) return [];
    return [...this.#postings.keys()].filter(
      (indexed) =>
        indexed.length > 3 &&
        (indexed.startsWith(word) || word.startsWith(indexed) || differByOne(word, indexed)),
    );
  }

  /** Large where few tools have the word. */
  #rarity(word: string): number {
    const { length } = (this.#postings.get(word) ?? NONE).tools;
    return Math.log(1 + (this.#tools.length - length + 0.5) / (length + 0.5)) ** RARITY_POWER;
  }

  #count(word: string, tool: number, amount: number): void {
    const posting = this.#postings.get(word);
    if (posting === undefined) this.#postings.set(word, { tools: [tool], counts: [amount] });
    else if (posting.tools.at(-1) === tool) posting.counts[posting.counts.length - 1]! += amount;
    else {
      posting.tools.push(tool);
      posting.counts.push(amount);
    }
  }
}

const NONE = { tools: [], counts: [] } as const;

/** Hints of tools enforce nothing, so that they only move tools up and down. */
function intentFactor(intent: Intent | "none", { annotations }: Tool): number {
  const { readOnlyHint = false, destructiveHint = false } = annotations ?? {};
  if (readOnlyHint) return { reading: 1.5, none: 1.25, writing: 0.5, deleting: 0.6 }[intent];
  return intent === "writing" && destructiveHint ? 0.6 : 1;
}

/** The title, or the first sentence of the description. */
function summaryOf({ annotations, description = "" }: Tool): string {
  const [line = ""] = description.slice(0, MAX_NAME).split("\n", 1);
  return annotations?.title?.slice(0, MAX_NAME) ?? line.split(/[.!?](?=\s|$)/, 1)[0]!;
}

function parametersOf({ inputSchema }: Tool): string {
  const properties = inputSchema?.["properties"];
  return typeof properties === "object" && properties !== null
    ? Object.keys(properties).slice(0, MAX_PARAMETERS).join(" ").slice(0, MAX_DESCRIPTION)
    : "";
}

function* pairsOf(words: readonly string[]): Iterable<string> {
  for (let index = 1; index < words.length; index++) yield `${words[index - 1]} ${words[index]}`;
}

function addTo(map: Map<string, Set<number>>, key: string, tool: number): void {
  const tools = map.get(key);
  if (tools === undefined) map.set(key, new Set([tool]));
  else tools.add(tool);
}

function raise(map: Map<number, number>, tool: number, score: number): void {
  if (score > (map.get(tool) ?? 0)) map.set(tool, score);
}

/** One letter more, less, other, or two swapped, after the first. */
function differByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
