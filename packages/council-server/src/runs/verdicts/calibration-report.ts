import { createCalibration, expectedVotes, type Measured, MIN_OUTCOMES, type Outcome } from "@mci-ts/council";
import { wilson } from "@mci-ts/primitives/wilson";
import type { CalibrationGroup, CalibrationReport } from "../../api/calibration-schemas.ts";

const MAX_K = 10;
const MAX_GROUPS = 200;
const BINS = 5;

/** What outcomes say about the votes of each model, strategy and kind of answer: stated against true, and which k is worth its price. */
export function calibrationReport(outcomes: readonly Outcome[], target: number): CalibrationReport {
  const groups = [
    ...groupsOf(
      outcomes,
      ({ model, strategy }) => JSON.stringify([model, strategy]),
      () => null,
    ),
    ...groupsOf(
      outcomes,
      ({ model, strategy, kind }) => JSON.stringify([model, strategy, kind]),
      ({ kind }) => kind,
    ),
  ];
  return {
    target,
    needed: MIN_OUTCOMES,
    outcomes: outcomes.length,
    groups: groups
      .map(({ members, kind }) => toGroup(members, kind, target))
      .toSorted((a, b) => b.outcomes - a.outcomes || a.model.localeCompare(b.model))
      .slice(0, MAX_GROUPS),
  };
}

function groupsOf(
  outcomes: readonly Outcome[],
  keyOf: (outcome: Outcome) => string,
  kindOf: (outcome: Outcome) => string | null,
) {
  return [...Map.groupBy(outcomes, keyOf).values()].map((members) => ({
    members,
    kind: kindOf(members[0]!),
  }));
}

function toGroup(outcomes: readonly Outcome[], kind: string | null, target: number): CalibrationGroup {
  const { model, strategy } = outcomes[0]!;
  const right = outcomes.filter((outcome) => outcome.right).length;
  const measured = createCalibration(outcomes).measured({ model, strategy });
  const prices = measured ? pricesOf(measured, costOfVote(outcomes)) : [];
  return {
    ...{ model, strategy, kind, outcomes: outcomes.length },
    by_check: outcomes.filter(({ by }) => by === "check").length,
    right: right / outcomes.length,
    interval: wilson(right, outcomes.length),
    confidence: binsOf(outcomes, ({ confidence }) => confidence),
    agreement: binsOf(outcomes, ({ leader_votes, votes }) => leader_votes / votes),
    p: measured?.p ?? null,
    dependence: measured?.dependence ?? null,
    prices,
    k: prices.find((price) => price.right >= target)?.k ?? null,
  };
}

function pricesOf(measured: Measured, costOfOne: number | null): CalibrationGroup["prices"] {
  return Array.from({ length: MAX_K }, (_, index) => {
    const k = index + 1;
    // A vote that is hardly ever right would take forever to agree.
    const votes = expectedVotes(Math.max(0.5, Math.min(0.999, measured.p)), k);
    return {
      k,
      right: measured.confidence(k, k).value,
      votes,
      cost_usd: costOfOne === null ? null : votes * costOfOne,
    };
  });
}

/** Discarded replies and comparisons are a part of what a vote costs. */
function costOfVote(outcomes: readonly Outcome[]): number | null {
  const priced = outcomes.filter(({ cost_usd }) => typeof cost_usd === "number");
  const votes = priced.reduce((sum, outcome) => sum + outcome.votes, 0);
  return votes === 0 ? null : priced.reduce((sum, { cost_usd }) => sum + cost_usd!, 0) / votes;
}

/** Outcomes by what was stated of them, in steps of a fifth. */
function binsOf(
  outcomes: readonly Outcome[],
  statedOf: (outcome: Outcome) => number | undefined,
): CalibrationGroup["confidence"] {
  const stated = outcomes.flatMap((outcome) => {
    const value = statedOf(outcome);
    return value === undefined ? [] : [{ value, right: outcome.right }];
  });
  const bins = Map.groupBy(stated, ({ value }) => Math.min(BINS - 1, Math.floor(value * BINS)));
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([bin, members]) => {
      const right = members.filter((member) => member.right).length;
      return {
        from: bin / BINS,
        to: (bin + 1) / BINS,
        outcomes: members.length,
        stated: members.reduce((sum, { value }) => sum + value, 0) / members.length,
        right: right / members.length,
        interval: wilson(right, members.length),
      };
    });
}
