/** Characters of a tool's JSON for one token of a language model: measured in bench/results.md, "What a tool list costs". */
const CHARACTERS_PER_TOKEN = 4;

/** About how many tokens a model reads for a tool as it is listed. Tokenizers differ; none is needed to compare tools. */
export function tokensOf(listed: object): number {
  return Math.ceil(JSON.stringify(listed).length / CHARACTERS_PER_TOKEN);
}
