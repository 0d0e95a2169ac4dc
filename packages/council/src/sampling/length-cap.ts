/** How long a valid answer may be: a rambling one is more often wrong. Learns from the answers of one vote. */
export interface LengthCap {
  /** Every answer that is valid but for its length: leaving out the long ones would make the mean sink with each flag. */
  note(tokens: number): void;
  /** In tokens. */
  current(): number;
}

const UNTIL_KNOWN = 750;
const KNOWN_AFTER = 5;
/** Share of the mean within which it is known: five answers of very different lengths tell little about the sixth. */
const STANDARD_ERROR = 0.1;
const TIMES_MEAN = 1.4;

/** `untilKnown`: tokens allowed before the mean is known. */
export function lengthCap(untilKnown = UNTIL_KNOWN): LengthCap {
  let count = 0;
  let mean = 0;
  // Squared distances from the mean, updated as answers come (Welford): exact where sums of squares would cancel out.
  let spread = 0;
  const isKnown = () =>
    count >= KNOWN_AFTER && Math.sqrt(spread / (count - 1) / count) <= STANDARD_ERROR * mean;
  return {
    note(tokens) {
      count++;
      const off = tokens - mean;
      mean += off / count;
      spread += off * (tokens - mean);
    },
    current: () => (isKnown() ? TIMES_MEAN * mean : untilKnown),
  };
}
