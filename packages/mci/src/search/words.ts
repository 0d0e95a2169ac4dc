/** Words that say nothing about a tool. Question words are not among them: see `synonyms.ts`. */
const STOP_WORDS = new Set(
  "a an the of to in on at by for from with and or as is are was were be been it its this that these those there i we our you your he she they them their do does did can could would will shall should may might have has had not no so if then than into out up about over just please want need some any how many why when where now once called which what whose again am here".split(
    " ",
  ),
);

/** The words of a text in their stems: names are split at case and punctuation, stop words are left out. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const piece of text.match(WORD) ?? []) {
    const stemmed = stemOf(piece);
    if (stemmed !== "") words.push(stemmed);
  }
  return words;
}

/** `getHTTPUser2` is get, HTTP, User, 2; words of other scripts stay whole. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;

/** The stem of each word as it is written; empty for stop words. */
const STEMS = new Map<string, string>();
/** Stems are remembered up to this number, so that hostile texts cannot fill the memory. */
const MAX_STEMS = 50_000;
const MAX_LENGTH = 40;

function stemOf(piece: string): string {
  const cached = STEMS.get(piece);
  if (cached !== undefined) return cached;
  const word = piece.toLowerCase().slice(0, MAX_LENGTH);
  const stemmed = STOP_WORDS.has(word) ? "" : stemEnglish(word);
  if (STEMS.size < MAX_STEMS) STEMS.set(piece, stemmed);
  return stemmed;
}

/** A light stemmer: plurals, -ed, -ing, and the final -e that they leave or take. */
function stemEnglish(word: string): string {
  if (word.length < 4) return word;
  let stemmed = word;
  if (stemmed.endsWith("ies") && stemmed.length > 4) stemmed = `${stemmed.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh|zz)es$/.test(stemmed)) stemmed = stemmed.slice(0, -2);
  else if (/[^su]s$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
  const hasVerb = (ending: string) =>
    stemmed.endsWith(ending) && /[aeiouy]/.test(stemmed.slice(0, -ending.length));
  if (stemmed.length > 5 && hasVerb("ing")) stemmed = undouble(stemmed.slice(0, -3));
  else if (stemmed.length > 4 && hasVerb("ed")) stemmed = undouble(stemmed.slice(0, -2));
  // An agent or an act belongs to its verb: contributor, invitation, reaction.
  stemmed = stemmed.replace(/(?<=.{5})(?:ation|(?<=t)ion|or|er)$/, "");
  return stemmed.length > 3 && stemmed.endsWith("e") ? stemmed.slice(0, -1) : stemmed;
}

/** `pinn` of pinned is pin; `call` of called stays. */
function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
