/**
 * How prompts are put. `full`: instructions with their reasons, for most models. `compact`: one or two sentences and short, bounded
 * answers, for small models, which repeat long instructions instead of following them.
 */
export const PROMPT_SETS = ["full", "compact"] as const;
export type PromptSet = (typeof PROMPT_SETS)[number];

/** Counted up where a vote is asked in another way: outcomes of other prompts say nothing about it. */
export const PROMPT_VERSIONS: Readonly<Record<PromptSet, number>> = { full: 1, compact: 2 };

/** Models with fewer parameters get the compact prompts, where their name says how many they have. */
const SMALL_MODEL_PARAMETERS = 4e9;
/** So do models with a context window up to this, in tokens. */
const SMALL_CONTEXT_WINDOW = 4096;

/** The set for a model, unless a setting says which. */
export function promptSetFor(model: string, contextWindow?: number): PromptSet {
  const parameters = parametersIn(model);
  const isSmall =
    (parameters !== undefined && parameters < SMALL_MODEL_PARAMETERS) ||
    (contextWindow !== undefined && contextWindow <= SMALL_CONTEXT_WINDOW);
  return isSmall ? "compact" : "full";
}

/** Parameters, from names such as `SmolLM2-135M-Instruct`, `qwen2.5:0.5b` and `gemma-3-1b-it`; of `8x7B` those of all experts. */
export function parametersIn(model: string): number | undefined {
  const match = /(?<![\p{L}\d.])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,2})?)(m|b)(?![\p{L}\d])/iu.exec(model);
  if (match === null) return undefined;
  const [, experts = "1", figure, scale] = match;
  return Number(experts) * Number(figure) * (scale!.toLowerCase() === "m" ? 1e6 : 1e9);
}
