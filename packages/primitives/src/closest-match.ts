/**
 * The candidate most similar to a misspelled name, or undefined when none is close. A different case, or different
 * separators (`schema_version` for `schemaVersion`), always counts as close.
 */
export function closestMatch(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let work = 0;
  for (const candidate of candidates) {
    if (candidate === name) continue;
    const compared = plain(candidate);
    work += 1 + (Math.abs(wanted.length - compared.length) < least ? wanted.length * compared.length : 0);
    if (work > MAX_WORK) break;
    const edits = distance(wanted, compared, least);
    if (edits >= least) continue;
    best = candidate;
    least = edits;
  }
  return best;
}

/** Longer names are compared by their first characters only, to bound the work. */
const MAX_LENGTH = 64;
/** Characters compared with characters in one search, about 10 ms. Names come from callers; a suggestion is not worth more. */
const MAX_WORK = 2_000_000;

const plain = (name: string) =>
  name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[-_.\s]/g, "");

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; at most `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) edits = Math.min(edits, beforeLast[column - 2]! + 1);
      current.push(edits);
    }
    if (Math.min(...current) >= limit) return limit;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[b.length]!, limit);
}
