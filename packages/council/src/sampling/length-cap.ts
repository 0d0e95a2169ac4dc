/** How long a valid answer may be: a rambling one is more often wrong. Learns from the answers of one vote. */
export interface LengthCap {
  /** Every answer that is valid but for its length: leaving out the long ones would make the mean sink with each flag. */
  note(tokens: number): void;
  /** In tokens. */
  current(): number;
  /** What it knows, to go on from later. */
  known(): KnownLengths;
}

/** Plain JSON. */
export interface KnownLengths {
  readonly count: number;
  readonly mean: number;
  /** Squared distances from the mean. */
  readonly spread: number;
}

const UNTIL_KNOWN = 750;
const KNOWN_AFTER = 5;
/** Share of the mean within which it is known: five answers of very different lengths tell little about the sixth. */
const STANDARD_ERROR = 0.1;
const TIMES_MEAN = 1.4;

/** `untilKnown`: tokens allowed before the mean is known. `from`: what earlier votes on questions of the same kind showed. */
export function lengthCap(
  untilKnown = UNTIL_KNOWN,
  from: KnownLengths = { count: 0, mean: 0, spread: 0 },
): LengthCap {
  // The spread is updated as answers come (Welford): exact where sums of squares would cancel out.
  let { count, mean, spread } = from;
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
    known: () => ({ count, mean, spread }),
  };
}
