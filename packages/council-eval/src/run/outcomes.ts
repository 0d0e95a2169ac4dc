import { MIN_OUTCOMES, type Outcome } from "@mci-ts/council";
import type { Result } from "./results-file.ts";

/**
 * What the service calibrates its confidence with (`MCI_OUTCOMES`): votes and councils whose leader is known to be right or wrong, decided
 * or not: a confidence is about the leader. One for each question, that with most votes: outcomes count as independent of each other, and
 * several runs or methods on one question are not.
 */
export function outcomesOf(results: readonly Result[]): readonly Outcome[] {
  const byQuestion = new Map<string, Outcome>();
  for (const { question, basis, votes, right_votes, leader_right, error } of results) {
    const counts = Object.values(votes);
    // Without a basis it was no vote of a model: a bare call, or simulated.
    if (basis === undefined || error !== undefined || counts.length === 0 || leader_right === null) continue;
    const { model, strategy, kind } = basis;
    const outcome = {
      ...{ model, strategy, kind },
      leader_votes: Math.max(...counts),
      votes: counts.reduce((sum, one) => sum + one, 0),
      right_votes,
      right: leader_right,
    };
    const key = JSON.stringify([question, model, strategy]);
    if (outcome.votes > (byQuestion.get(key)?.votes ?? 0)) byQuestion.set(key, outcome);
  }
  return [...byQuestion.values()];
}

/** What to do with them; nothing where there are none. */
export function describeUse(outcomes: readonly Outcome[], file: string): string {
  const groups = [
    ...Map.groupBy(outcomes, ({ model, strategy }) => JSON.stringify([model, strategy])).values(),
  ];
  const lines = groups.map((all) => {
    const { model, strategy } = all[0]!;
    const few = all.length < MIN_OUTCOMES ? `, too few for a confidence (${MIN_OUTCOMES} are needed)` : "";
    return `  ${all.length} of ${model}, ${strategy}${few}\n`;
  });
  if (lines.length === 0) return "";
  return `Outcomes, one for each question: with MCI_OUTCOMES=${file} such votes state how often they are right.\n${lines.join("")}`;
}
