/** No person types more; each word is looked for in thousands of texts, while nothing else is answered. */
const MAX_WORDS = 20;
const MAX_CHARS = 1000;

/** What is searched for: each word once, in lower case. What is beyond the limits is not searched. */
export function searchWords(search: string): readonly string[] {
  const words = search.slice(0, MAX_CHARS).toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, MAX_WORDS);
}
