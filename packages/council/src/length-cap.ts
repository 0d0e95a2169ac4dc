/** How long a sound answer may be: a rambling one is more often wrong. Learns from the answers of one vote. */
export interface LengthCap {
  note(tokens: number): void;
  /** In tokens. */
  current(): number;
}

const UNTIL_KNOWN = 750;
const KNOWN_AFTER = 5;
const TIMES_MEAN = 1.4;
/** Among very short answers, wording alone makes one twice as long as another. */
const NEVER_BELOW = 100;

export function lengthCap(): LengthCap {
  let count = 0;
  let sum = 0;
  return {
    note(tokens) {
      count++;
      sum += tokens;
    },
    current: () => (count < KNOWN_AFTER ? UNTIL_KNOWN : Math.max(NEVER_BELOW, (TIMES_MEAN * sum) / count)),
  };
}
