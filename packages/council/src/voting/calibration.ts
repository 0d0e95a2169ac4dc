import { z } from "zod";
import { type CalibratedChance, fitBetaCalibration } from "./beta-calibration.ts";
import { chanceLeaderRight, type Dependence, measureDependence } from "./dependence.ts";

/** What an outcome is about: other models, strategies and kinds of answers have other chances. */
export const outcomeBasisSchema = z.object({
  model: z.string().min(1).max(2000),
  strategy: z.string().min(1).max(200),
  /** E.g. `choice`, `quantity`, `text`, `object`. */
  kind: z.string().min(1).max(50),
});
export type OutcomeBasis = z.infer<typeof outcomeBasisSchema>;

/** How a vote came out, measured against the truth: by an evaluation, a person's verdict or a check. Plain JSON, one per line of a file. */
export const outcomeSchema = outcomeBasisSchema.extend({
  leader_votes: z.int().min(0).max(10_000),
  votes: z.int().min(1).max(10_000),
  /** Votes for the right answer; null where that is not known. */
  right_votes: z.int().min(0).max(10_000).nullable(),
  /** Whether the leader was right. */
  right: z.boolean(),
  /** The confidence that the run stated. Absent: it stated none. */
  confidence: z.number().min(0).max(1).optional(),
  /** What the run cost; null: unknown. */
  cost_usd: z.number().min(0).nullable().optional(),
  /** Who says so. Absent: an evaluation. */
  by: z.enum(["person", "check"]).optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** What outcomes tell about votes of one basis. */
export interface Measured extends Dependence {
  /** How many outcomes it rests on. */
  readonly outcomes: number;
  /** The chance that a leader with so many of the votes is right. */
  readonly confidence: (leaderVotes: number, votes: number) => CalibratedChance;
}

/** Kept by the caller between runs. */
export interface Calibration {
  /** Undefined without enough outcomes. `kind` left out: of all kinds. */
  measured(basis: Omit<OutcomeBasis, "kind"> & { readonly kind?: string }): Measured | undefined;
  /** How many outcomes there are for that. `allKinds`: of other kinds of answers, too, because this one has too few. */
  count(basis: OutcomeBasis): { readonly outcomes: number; readonly allKinds: boolean };
  add(outcome: Outcome): void;
}

/** With fewer, an interval would span nearly everything. */
export const MIN_OUTCOMES = 20;
/** Outcomes of one basis: more tell nothing new, and models change. */
const MAX_OUTCOMES = 5000;
const MAX_GROUPS = 3000;

export function createCalibration(outcomes: Iterable<Outcome> = []): Calibration {
  const groups = new Map<string, Outcome[]>();
  const fitted = new Map<string, Measured>();
  const calibration: Calibration = {
    measured({ kind, ...basis }) {
      const own = kind === undefined ? undefined : fit(keyOf({ ...basis, kind }));
      return own ?? fit(keyOf(basis));
    },
    count({ kind, ...basis }) {
      const [own, all] = [{ ...basis, kind }, basis].map((key) => groups.get(keyOf(key))?.length ?? 0);
      const allKinds = own! < MIN_OUTCOMES && own !== all;
      return { outcomes: allKinds ? all! : own!, allKinds };
    },
    add(outcome) {
      const { model, strategy, kind } = outcome;
      for (const key of [keyOf({ model, strategy }), keyOf({ model, strategy, kind })]) {
        const group = groups.get(key) ?? [];
        if (!groups.has(key) && groups.size >= MAX_GROUPS) continue;
        groups.set(key, group);
        group.push(outcome);
        if (group.length > MAX_OUTCOMES) group.shift();
        fitted.delete(key);
      }
    },
  };
  for (const outcome of outcomes) calibration.add(outcome);
  return calibration;

  function fit(key: string): Measured | undefined {
    const cached = fitted.get(key);
    const group = groups.get(key) ?? [];
    if (cached !== undefined || group.length < MIN_OUTCOMES) return cached;
    const measured = fitOutcomes(group);
    fitted.set(key, measured);
    return measured;
  }
}

/**
 * The chance assumes one rival for all wrong votes: below one half, more agreement would mean less confidence. Wrong votes of real models
 * scatter, and agreement means more there, too. So it is taken as evidence only, and the calibration finds how often such leaders are right.
 */
const MIN_EVIDENCE_P = 0.55;

function fitOutcomes(outcomes: readonly Outcome[]): Measured {
  const dependence = measureDependence(outcomes.map(gradedVotes));
  const evidence = { ...dependence, p: Math.max(dependence.p, MIN_EVIDENCE_P) };
  const chance = (leader: number, votes: number) => chanceLeaderRight(leader, votes, evidence);
  const calibrate = fitBetaCalibration(
    outcomes.map(({ leader_votes, votes, right }) => ({ chance: chance(leader_votes, votes), right })),
  );
  return {
    ...dependence,
    outcomes: outcomes.length,
    confidence: (leader, votes) => calibrate(chance(leader, votes)),
  };
}

/** Where only the leader was judged: its votes were right, or none is known to be. */
const gradedVotes = ({ leader_votes, votes, right_votes, right }: Outcome) => ({
  votes,
  right: Math.min(votes, right_votes ?? (right ? leader_votes : 0)),
});

const keyOf = ({ model, strategy, kind = "" }: { model: string; strategy: string; kind?: string }) =>
  JSON.stringify([model, strategy, kind]);
