import { MCIClientError } from "../errors.ts";
import type { Tool } from "../schema/tool.ts";
import { ToolIndex } from "./tool-index.ts";

/** Vectors for texts, in their order. Any model will do; vectors are compared by their angle. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** A tool that was found. */
export interface ToolMatch {
  /** A copy that may be changed. */
  readonly tool: Tool;
  /** Larger is better. Comparable within one search only. */
  readonly score: number;
}

/** Texts that `embed` gets at once. */
const BATCH = 100;
/** The constant of reciprocal rank fusion: how much the first ranks count more than later ones. */
const FUSION = 60;
const MAX_TEXT = 1000;

/** Finds tools by words, and by meaning where a function for vectors is given. Its index is built once. */
export class ToolSearch {
  readonly #tools: readonly Tool[];
  readonly #index: ToolIndex;
  readonly #vectors = new WeakMap<Embed, Promise<readonly (readonly number[])[]>>();

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    this.#index = new ToolIndex(tools);
  }

  /** Best first. `isIncluded` is asked before the limit counts. */
  async search(
    query: string,
    limit: number,
    isIncluded: (tool: Tool) => boolean,
    embed?: Embed,
  ): Promise<ToolMatch[]> {
    const found = this.#index.search(query);
    const ranked = embed === undefined ? found : fuse(found, await this.#nearest(query, embed));
    return ranked
      .map(({ index, score }) => ({ tool: this.#tools[index]!, score }))
      .filter(({ tool }) => isIncluded(tool))
      .slice(0, limit);
  }

  async #nearest(query: string, embed: Embed): Promise<{ index: number }[]> {
    const vectors = await this.#vectorsOf(embed);
    const [wanted] = await embedAll([query.slice(0, MAX_TEXT)], embed);
    return vectors
      .map((vector, index) => ({ index, likeness: cosine(vector, wanted!) }))
      .sort((a, b) => b.likeness - a.likeness);
  }

  /** Asked for once for each function; if that fails, the next search asks again. */
  #vectorsOf(embed: Embed): Promise<readonly (readonly number[])[]> {
    const cached = this.#vectors.get(embed);
    if (cached !== undefined) return cached;
    const vectors = embedAll(
      this.#tools.map(({ name, description = "" }) => `${name}\n${description}`.slice(0, MAX_TEXT)),
      embed,
    );
    this.#vectors.set(embed, vectors);
    vectors.catch(() => this.#vectors.delete(embed));
    return vectors;
  }
}

async function embedAll(texts: readonly string[], embed: Embed): Promise<(readonly number[])[]> {
  const vectors: (readonly number[])[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    const batch = texts.slice(start, start + BATCH);
    const embedded = await embed(batch);
    if (!Array.isArray(embedded) || embedded.length !== batch.length)
      throw new MCIClientError("invalid_argument", "'embed' must return one vector for each text.");
    vectors.push(...embedded);
  }
  return vectors;
}

/** Reciprocal rank fusion: only ranks count, because scores of words and of vectors cannot be compared. */
function fuse(
  byWords: readonly { index: number }[],
  byMeaning: readonly { index: number }[],
): { index: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const list of [byWords, byMeaning])
    for (const [rank, { index }] of list.entries())
      scores.set(index, (scores.get(index) ?? 0) + 1 / (FUSION + rank + 1));
  return [...scores]
    .map(([index, score]) => ({ index, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let [product, lengthA, lengthB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    product += value * other;
    lengthA += value * value;
    lengthB += other * other;
  }
  const likeness = product / Math.sqrt(lengthA * lengthB);
  return Number.isFinite(likeness) ? likeness : -1;
}
