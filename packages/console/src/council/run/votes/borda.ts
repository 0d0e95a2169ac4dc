import type { RunState } from "../run-state.ts";

export interface Score {
  readonly seat: number;
  readonly points: number;
  /** The part of the points that the seat could have got. */
  readonly share: number;
}

/** The same count as the service's, over the rankings so far. */
export function countBorda(rankings: RunState["rankings"]): Score[] {
  const sums = new Map<number, { points: number; possible: number }>();
  for (const { order } of rankings) {
    for (const [index, seat] of order.entries()) {
      const { points, possible } = sums.get(seat) ?? { points: 0, possible: 0 };
      const most = order.length - 1;
      sums.set(seat, { points: points + most - index, possible: possible + most });
    }
  }
  return [...sums]
    .map(([seat, { points, possible }]) => ({ seat, points, share: possible === 0 ? 0 : points / possible }))
    .sort((a, b) => b.share - a.share || a.seat - b.seat);
}
