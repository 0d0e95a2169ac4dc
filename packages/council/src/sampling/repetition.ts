/**
 * Small models fall into a loop and write until they are cut: "3 + 4 = 7, 3 + 4 = 7, 3 + 4 = 7, …". Returns the piece that fills more
 * than half of a text, one time after the other; undefined where there is none. What stands in the question may be asked for.
 */
export function findRepetition(text: string, question = ""): string | undefined {
  for (const match of text.slice(0, MAX_CHARS).matchAll(LOOP)) {
    const [whole, piece] = match as unknown as [string, string];
    if (whole.length <= text.length / 2 || !SAYS_SOMETHING.test(piece)) continue;
    // Only one piece fills more than half: a long question is read once.
    const isAskedFor = question.toLowerCase().includes(piece.trim().toLowerCase());
    if (!isAskedFor) return piece.trim();
  }
  return undefined;
}

/** Six times: five may be a refrain. */
const LOOP = /([^\n]{2,40}?)\1{5,}/g;
/** Digits alone may be a long number, lines of dashes a table. */
const SAYS_SOMETHING = /\p{L}|\d\D|\D\d/u;
const MAX_CHARS = 4000;
