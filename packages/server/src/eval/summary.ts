import type { Result } from "./evaluate.ts";

export interface Summary {
  readonly method: string;
  readonly model: string;
  readonly questions: number;
  readonly accuracy: number;
  /** 95 %, Wilson. */
  readonly interval: readonly [number, number];
  readonly calls: number;
  /** Of all questions; null when the cost of any is unknown. */
  readonly cost_usd: number | null;
  readonly median_seconds: number;
  /** Stated confidence against the share that was right, in bins. */
  readonly calibration: readonly {
    readonly confidence: number;
    readonly accuracy: number;
    readonly count: number;
  }[];
}

export function summarise(results: readonly Result[]): readonly Summary[] {
  const groups = Map.groupBy(results, ({ method, model }) => JSON.stringify([method, model]));
  return [...groups.values()].map((all) => {
    const right = all.filter(({ correct }) => correct).length;
    const seconds = all.map((one) => one.seconds).toSorted((a, b) => a - b);
    return {
      method: all[0]!.method,
      model: all[0]!.model,
      questions: all.length,
      accuracy: right / all.length,
      interval: wilson(right, all.length),
      calls: all.reduce((sum, one) => sum + one.calls, 0) / all.length,
      cost_usd: all.some(({ cost_usd }) => cost_usd === null)
        ? null
        : all.reduce((sum, { cost_usd }) => sum + cost_usd!, 0),
      median_seconds: seconds[Math.floor(seconds.length / 2)]!,
      calibration: calibration(all),
    };
  });
}

/** The 95 % interval of a share; stays within 0 and 1, also for few questions. */
export function wilson(right: number, total: number): readonly [number, number] {
  const z = 1.96;
  const p = right / total;
  const centre = (p + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half = (z * Math.sqrt((p * (1 - p)) / total + (z * z) / (4 * total * total))) / (1 + (z * z) / total);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

const BINS = 10;

function calibration(results: readonly Result[]): Summary["calibration"] {
  const stated = results.filter(({ confidence }) => confidence !== null);
  const bins = Map.groupBy(stated, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence! * BINS)));
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([, all]) => ({
      confidence: all.reduce((sum, { confidence }) => sum + confidence!, 0) / all.length,
      accuracy: all.filter(({ correct }) => correct).length / all.length,
      count: all.length,
    }));
}
