/** What is indexed of a long text. */
const MAX_CHARS = 20_000;
const MAX_WORD_CHARS = 200;
const MAX_QUERY_WORDS = 20;

/** The words of a text as the search compares them: lower case, without accents. The same for what is stored and what is asked. */
export function wordsOf(text: string): string[] {
  const words = text
    .slice(0, MAX_CHARS)
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words?.map((word) => word.slice(0, MAX_WORD_CHARS)))];
}

/** A query that wants every word, each as the beginning of one. Letters and digits only: nothing of a search is an operator. */
export function toQuery(text: string): string {
  return wordsOf(text)
    .slice(0, MAX_QUERY_WORDS)
    .map((word) => `'${word}':*`)
    .join(" & ");
}
