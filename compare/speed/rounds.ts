import { median } from "../../bench/measure.ts";

/** One side of a row: a figure of each round that counts. */
export interface Figures {
  readonly rounds: readonly number[];
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Who could not do the work says why. */
export type Outcome = Figures | { readonly error: string };

export interface Row {
  readonly id: string;
  readonly what: string;
  readonly unit: "µs" | "bytes" | "per second" | "count";
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/**
 * Takes a figure of everybody in turns, `rounds` times after one to warm up. Who begins changes from round to round, so that
 * no contestant always runs after the same other one; a contestant that fails is not run again.
 */
export async function measureInTurns(
  names: readonly string[],
  rounds: number,
  figure: (name: string, round: number) => Promise<number>,
): Promise<Record<string, Outcome>> {
  const taken = new Map<string, number[]>(names.map((name) => [name, []]));
  const errors = new Map<string, string>();
  for (let round = 0; round <= rounds; round++) {
    const shift = round % names.length;
    for (const name of [...names.slice(shift), ...names.slice(0, shift)]) {
      if (errors.has(name)) continue;
      try {
        const value = await figure(name, round);
        if (round > 0) taken.get(name)?.push(value);
      } catch (error) {
        errors.set(name, (error as Error).message);
      }
    }
  }
  const outcome = (name: string): Outcome => {
    const error = errors.get(name);
    return error === undefined ? figures(taken.get(name) ?? []) : { error };
  };
  return Object.fromEntries(names.map((name) => [name, outcome(name)]));
}

export function figures(rounds: readonly number[]): Figures {
  return { rounds, median: median(rounds), low: Math.min(...rounds), high: Math.max(...rounds) };
}

export function isMeasured(outcome: Outcome | undefined): outcome is Figures {
  return outcome !== undefined && "median" in outcome;
}

/** How many times the other's figure ours is: the median of the ratios of neighbouring rounds. */
export function ratio(ours: Figures, other: Figures): number {
  return median(ours.rounds.map((value, round) => value / (other.rounds[round] ?? other.median)));
}
