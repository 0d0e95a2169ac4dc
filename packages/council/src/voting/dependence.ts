/**
 * Samples of one model on one question are not independent: it repeats its mistakes. The chance that a sample is right differs from
 * question to question, as if drawn for each from a beta distribution with mean `p`; `dependence` is the correlation of two samples of
 * one question that follows (0: independent, 1: every sample repeats the first).
 */
export interface Dependence {
  readonly p: number;
  readonly dependence: number;
}

/** Votes on one question, and how many of them were right. */
export interface GradedVotes {
  readonly votes: number;
  readonly right: number;
}

/**
 * From questions with a known answer: the most likely values, under a prior that has its peak at one half for both and gives way to a
 * dozen questions. The likelihood of a vote does not depend on when it was stopped, as averages over votes would: a vote goes on
 * where samples differ.
 */
export function measureDependence(questions: readonly GradedVotes[]): Dependence {
  const groups = [...Map.groupBy(questions, ({ votes, right }) => `${votes} ${right}`).values()].map(
    (same) => ({
      ...same[0]!,
      count: same.length,
    }),
  );
  let best = { p: 0.5, dependence: 0.5 };
  // A coarse grid over all values, then finer ones around the best.
  for (const step of [0.02, 0.004, 0.001]) {
    const around = (centre: number) =>
      step === 0.02 ? steps(0, 1, step) : steps(centre - 0.03, centre + 0.03, step);
    let most = Number.NEGATIVE_INFINITY;
    const { p: centreP, dependence: centreD } = best;
    for (const p of around(centreP))
      for (const dependence of around(centreD)) {
        const likelihood = logPosterior(groups, { p, dependence });
        if (likelihood > most) [most, best] = [likelihood, { p, dependence }];
      }
  }
  return best;
}

/** Inside (0, 1). */
function steps(from: number, to: number, step: number): readonly number[] {
  const first = Math.max(step / 2, from);
  const count = Math.floor((Math.min(1 - step / 2, to) - first) / step) + 1;
  return Array.from({ length: Math.max(1, count) }, (_, i) => first + i * step);
}

function logPosterior(
  groups: readonly (GradedVotes & { readonly count: number })[],
  { p, dependence }: Dependence,
): number {
  const size = 1 / dependence - 1;
  const [a, b] = [p * size, (1 - p) * size];
  let log = Math.log(p) + Math.log1p(-p) + Math.log(dependence) + Math.log1p(-dependence);
  for (const { votes, right, count } of groups)
    log += count * (logRising(a, right) + logRising(b, votes - right) - logRising(size, votes));
  return log;
}

/** How many independent votes these are worth (Kish): all of them at dependence 0, one at 1. */
export function effectiveVotes(votes: number, dependence: number): number {
  return votes === 0 ? 0 : votes / (1 + (votes - 1) * dependence);
}

/**
 * The chance that the leader is right after `leader` of `votes`, if the wrong votes all went to one rival. Without dependence that is
 * the paper's 1 / (1 + r^lead); at full dependence it is p, however many votes there are.
 */
export function chanceLeaderRight(leader: number, votes: number, { p, dependence }: Dependence): number {
  const mean = Math.min(1 - 1e-9, Math.max(1e-9, p));
  const rho = Math.min(1 - 1e-9, Math.max(0, dependence));
  const others = votes - leader;
  const logOdds =
    rho < 1e-9
      ? (leader - others) * Math.log(mean / (1 - mean))
      : logRising(mean * (1 / rho - 1), leader, others) -
        logRising((1 - mean) * (1 / rho - 1), leader, others);
  return 1 / (1 + Math.exp(-logOdds));
}

/** ln of from (from + 1) … (from + count - 1), without the first `skipped` of them. */
function logRising(from: number, count: number, skipped = 0): number {
  let log = 0;
  for (let i = skipped; i < count; i++) log += Math.log(from + i);
  return log;
}
