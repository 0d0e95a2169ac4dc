/* The theory of first-to-ahead-by-k voting that a web page has, too: it imports nothing. `p` is the chance that one valid vote is right. */

/** Chance that a vote decided by a lead of k is right: 1 / (1 + r^k). */
export function chanceRight(p: number, k: number): number {
  return 1 / (1 + ((1 - p) / p) ** k);
}

/** Expected number of valid votes until one answer leads by k. */
export function expectedVotes(p: number, k: number): number {
  if (p === 0.5) return k * k;
  const rk = ((1 - p) / p) ** k;
  return ((k / (2 * p - 1)) * (1 - rk)) / (1 + rk);
}
