/** A piece of work that can be done many times; `concurrency` calls run side by side. */
export type Work = () => unknown;

export interface Side {
  /** Microseconds for one call: the median of the rounds. */
  readonly median: number;
  /** Lowest and highest round. */
  readonly low: number;
  readonly high: number;
}

export interface Comparison {
  readonly ours: Side;
  readonly bare: Side;
  /** Median of the ratios of neighbouring rounds: what slows the machine down slows both. */
  readonly ratio: number;
}

export interface Plan {
  /** Calls in one round of one side. */
  readonly calls: number;
  /** Calls in flight at once. Default 1. */
  readonly concurrency?: number;
  /** Rounds of each side, run in turns. Default 7. */
  readonly rounds?: number;
}

/** Both sides in one run, in turns, after a round each to warm up. */
export async function compare(bare: Work, ours: Work, plan: Plan): Promise<Comparison> {
  const rounds = plan.rounds ?? 7;
  await round(bare, plan);
  await round(ours, plan);
  const pairs: [bare: number, ours: number][] = [];
  for (let index = 0; index < rounds; index++) {
    // The side that goes first changes, so that neither always finds the machine the other left.
    if (index % 2 === 0) pairs.push([await round(bare, plan), await round(ours, plan)]);
    else {
      const second = await round(ours, plan);
      pairs.push([await round(bare, plan), second]);
    }
  }
  return {
    bare: side(pairs.map(([time]) => time)),
    ours: side(pairs.map(([, time]) => time)),
    ratio: median(pairs.map(([bareTime, oursTime]) => oursTime / bareTime)),
  };
}

export async function measure(work: Work, plan: Plan): Promise<Side> {
  await round(work, plan);
  const times: number[] = [];
  for (let index = 0; index < (plan.rounds ?? 7); index++) times.push(await round(work, plan));
  return side(times);
}

/** Microseconds for one call. */
async function round(work: Work, { calls, concurrency = 1 }: Plan): Promise<number> {
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return ((performance.now() - start) * 1000) / calls;
}

function side(times: readonly number[]): Side {
  return { median: median(times), low: Math.min(...times), high: Math.max(...times) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
