import { chanceRight } from "@mci-ts/council/expected-votes";
import { wilson } from "@mci-ts/primitives/wilson";
import type { Methods } from "../methods/methods.ts";
import type { Result } from "../run/results-file.ts";

/** What votes say about a model, and what theory makes of it. */
export interface Theory {
  readonly model: string;
  /** The chance that one valid vote is right: the share of right votes in all votes. */
  readonly p: number;
  readonly interval: readonly [number, number];
  readonly votes: number;
  /** Share of wrong decisions, measured and by 1 - 1 / (1 + r^k). */
  readonly errors: readonly { readonly k: number; readonly measured: number; readonly theory: number }[];
}

/** For models whose votes can be compared with a known answer. */
export function theoryOf(results: readonly Result[], methods: Methods): readonly Theory[] {
  const voted = results.filter(({ method, right_votes }) => methods.get(method)?.k && right_votes !== null);
  const byModel = Map.groupBy(voted, ({ model }) => model);
  return [...byModel].flatMap(([model, all]) => {
    const right = all.reduce((sum, { right_votes }) => sum + right_votes!, 0);
    const votes = all.reduce(
      (sum, one) => sum + Object.values(one.votes).reduce((count, more) => count + more, 0),
      0,
    );
    if (votes === 0) return [];
    const p = right / votes;
    const errors = [...Map.groupBy(all, ({ method }) => methods.get(method)!.k!)]
      .toSorted(([a], [b]) => a - b)
      .map(([k, decided]) => ({
        k,
        measured: decided.filter(({ correct }) => !correct).length / decided.length,
        theory: 1 - chanceRight(p, k),
      }));
    return [{ model, p, interval: wilson(right, votes), votes, errors }];
  });
}
