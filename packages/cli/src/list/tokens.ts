/** The encoding that is estimated: of the tokenizers in use, one whose vocabulary is public. */
export const ENCODING = "o200k_base";

/**
 * The pieces that the encoding divides a text into before it looks them up: words with the sign before them, up to three digits, runs of signs. The
 * vocabulary itself is 2 MB and more, too much to install for one line.
 */
const PIECES =
  /[^\p{L}\p{M}\p{N}\r\n]?(?:\p{Lu}*[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+)|\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]+|\s+/gu;

/** Tokens for each letter of a word, beyond those that the first token of the word has. Measured with the tokenizer on descriptions of tools. */
const SCRIPTS: readonly (readonly [script: RegExp, first: number, each: number])[] = [
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, 1, 0.66],
  [/\p{Script=Hangul}/u, 1, 0.6],
  [/\p{Script=Cyrillic}/u, 5, 0.17],
  [/\p{Script=Thai}/u, 2, 0.33],
  [/\p{Script=Latin}/u, 7, 0.17],
];
const OTHER_SCRIPT = [/./u, 2, 0.28] as const;

/** About how many tokens a model reads for a tool as it is listed. */
export function tokensOf(listed: object): number {
  let tokens = 0;
  for (const [piece] of JSON.stringify(listed).matchAll(PIECES)) tokens += tokensOfPiece(piece);
  return Math.ceil(tokens);
}

function tokensOfPiece(piece: string): number {
  const letters = piece.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  if (letters === 0) return 1;
  const [, first, each] = SCRIPTS.find(([script]) => script.test(piece)) ?? OTHER_SCRIPT;
  return 1 + Math.max(0, letters - first) * each;
}
