/** Statistics of an evaluation. Whatever is drawn at random is drawn from a fixed seed: the same results give the same report. */

export type Interval = readonly [number, number];

/**
 * McNemar's test, exact: both methods answered the same questions, so only those count that one of them got right and the other wrong.
 * Two-sided.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  return Math.min(1, 2 * binomialTail(Math.min(onlyFirst, onlySecond), n, 0.5));
}

/** The chance of so many hits or fewer in n independent attempts that each succeed with the chance p. */
export function binomialTail(hits: number, n: number, p: number): number {
  // From its smallest term, in logarithms.
  let logTerm = n * Math.log1p(-p);
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= hits; i++) {
    logTerm += Math.log((n - i + 1) / i) + Math.log(p) - Math.log1p(-p);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, tail);
}

const RESAMPLES = 2000;

/** The 95 % percentile interval of a figure over resampled items. */
export function bootstrap<T>(items: readonly T[], figure: (sample: readonly T[]) => number): Interval {
  const values = resampled(items, figure).toSorted((a, b) => a - b);
  return [values[Math.floor(0.025 * RESAMPLES)]!, values[Math.ceil(0.975 * RESAMPLES) - 1]!];
}

/** Two-sided p of "the mean is zero" for paired differences: how often resampled means, moved to zero, are as far away as the measured one. */
export function pairedBootstrap(differences: readonly number[]): number {
  const observed = mean(differences);
  if (differences.every((one) => one === 0)) return 1;
  const extreme = resampled(
    differences.map((one) => one - observed),
    mean,
  ).filter((one) => Math.abs(one) >= Math.abs(observed) - 1e-12).length;
  return Math.min(1, (extreme + 1) / (RESAMPLES + 1));
}

/** Adjusted by Holm: as many comparisons as there are, and still at most one in twenty finds a difference where there is none. */
export function holm(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, i) => ({ p, i })).toSorted((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length);
  let highest = 0;
  order.forEach(({ p, i }, rank) => {
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)));
    adjusted[i] = highest;
  });
  return adjusted;
}

/** pass^n: the chance that n runs of a question are all right, from c right ones of N (without bias). */
export function passAll(right: number, runs: number, n: number): number {
  let chance = 1;
  for (let i = 0; i < n; i++) chance *= Math.max(0, right - i) / (runs - i);
  return chance;
}

export interface Stated {
  readonly confidence: number;
  readonly correct: boolean;
}

const BINS = 10;

/** Stated confidence against the share that was right, in ten bins. */
export function calibrationBins(stated: readonly Stated[]) {
  const bins = Map.groupBy(stated, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([, all]) => ({
      confidence: mean(all.map(({ confidence }) => confidence)),
      accuracy: mean(all.map(({ correct }) => (correct ? 1 : 0))),
      count: all.length,
    }));
}

/** Expected calibration error: how far the stated confidence is from the share that was right, on average over the bins. */
export const calibrationError = (stated: readonly Stated[]): number =>
  calibrationBins(stated).reduce(
    (sum, { confidence, accuracy, count }) => sum + (count / stated.length) * Math.abs(confidence - accuracy),
    0,
  );

/** Cohen's kappa of two raters: 1 is full agreement, 0 what chance alone gives. */
export function kappa(pairs: readonly (readonly [boolean, boolean])[]): number {
  const share = (of: (pair: readonly [boolean, boolean]) => boolean) =>
    pairs.filter(of).length / pairs.length;
  const agreed = share(([a, b]) => a === b);
  const [first, second] = [share(([a]) => a), share(([, b]) => b)];
  const byChance = first * second + (1 - first) * (1 - second);
  return byChance === 1 ? 1 : (agreed - byChance) / (1 - byChance);
}

export const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

function resampled<T>(items: readonly T[], figure: (sample: readonly T[]) => number): number[] {
  const random = seeded(1);
  return Array.from({ length: RESAMPLES }, () =>
    figure(items.map(() => items[Math.floor(random() * items.length)]!)),
  );
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
