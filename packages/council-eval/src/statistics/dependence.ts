import { createCalibration, effectiveVotes, type Outcome, whyVotesCannotHelp } from "@mci-ts/council";

/** How far the votes of a model on one question repeat each other, and whether more of them can help. */
export interface VoteDependence {
  readonly model: string;
  /** What samples differed in. */
  readonly strategy: string;
  readonly questions: number;
  /** The chance that one vote is right, over all questions. */
  readonly p: number;
  /** 0: votes are independent; 1: each repeats the first. */
  readonly dependence: number;
  /** How many independent votes three of them are worth. */
  readonly three_votes_are_worth: number;
  /** Why more votes can hardly help, and what to do instead; null where they can. */
  readonly advice: string | null;
}

/** For votes on enough questions with a known answer; a single vote on each says nothing of it. */
export function dependencesOf(outcomes: readonly Outcome[]): readonly VoteDependence[] {
  const several = outcomes.filter(({ votes, right_votes }) => votes > 1 && right_votes !== null);
  const groups = Map.groupBy(several, ({ model, strategy }) => JSON.stringify([model, strategy]));
  return [...groups.values()].flatMap((all): VoteDependence[] => {
    const { model, strategy } = all[0]!;
    const measured = createCalibration(all).measured({ model, strategy });
    if (measured === undefined || !strategy.startsWith("vote")) return [];
    const { p, dependence } = measured;
    return [
      {
        ...{ model, strategy, questions: all.length, p, dependence },
        three_votes_are_worth: effectiveVotes(3, dependence),
        advice: whyVotesCannotHelp(model, measured) ?? null,
      },
    ];
  });
}
