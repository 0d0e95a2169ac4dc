/** A word as it is written in a POSIX shell: in quotes unless it means the same without. */
export function shellWord(word: string): string {
  return /^[\w./:@%+,-][\w./:@%+=,-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
