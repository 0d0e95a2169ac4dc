import { createHash } from "node:crypto";
import {
  type Calibration,
  createCalibration,
  createSpeeds,
  type EquivalenceCache,
  type Outcome,
  type Speeds,
} from "@mci-ts/council";
import type { Measurement, StoreRecord, VoteAgreement } from "../store/records.ts";

const MAX_EQUIVALENCES = 10_000;
const MAX_OUTCOMES = 20_000;
/** Bounded, because requests may name any model. */
const MAX_MODELS = 1000;

/** What was measured before this start, and where new measurements go. */
export interface MeasuredBefore {
  readonly outcomes?: readonly Measurement[];
  readonly selfTests?: readonly Measurement[];
  /** Outcomes from a file. */
  readonly measuredElsewhere?: readonly Outcome[];
  readonly save?: (record: StoreRecord) => void;
}

/** What runs learn from earlier ones: vote agreement per model, and which answers are equivalent. */
export class RunStatistics {
  readonly #agreements = new Map<string, { agreed: number; total: number }>();
  readonly #selfTests = new Map<string, boolean>();
  readonly #equivalences = new Map<string, boolean>();

  readonly #outcomes: Map<string, Outcome>;
  readonly #measuredElsewhere: readonly Outcome[];
  readonly #save: (record: StoreRecord) => void;
  #calibration: Calibration;

  constructor(agreements: readonly VoteAgreement[], measured: MeasuredBefore = {}) {
    const { outcomes = [], selfTests = [], measuredElsewhere = [], save = () => {} } = measured;
    this.#save = save;
    this.#measuredElsewhere = measuredElsewhere;
    this.#outcomes = new Map(outcomes.map(({ id, data }) => [id, JSON.parse(data)]));
    this.#calibration = createCalibration([...measuredElsewhere, ...this.#outcomes.values()]);
    for (const { id, data } of selfTests) this.#selfTests.set(id, JSON.parse(data));
    for (const { model, agreed, total } of agreements) this.#agreements.set(model, { agreed, total });
  }

  /** Which models passed the self-test for that; bounded like the models themselves. */
  readonly selfTests: EquivalenceCache = {
    get: (key) => this.#selfTests.get(key),
    set: (key, passed) => {
      this.#selfTests.set(key, passed);
      this.#save({
        kind: "measurement",
        id: key,
        at: Date.now(),
        subject: "self_test",
        data: String(passed),
      });
      dropOldest(this.#selfTests, MAX_MODELS);
    },
  };

  /** What outcomes say about votes. */
  get calibration(): Calibration {
    return this.#calibration;
  }

  /** Counts the outcome of a run, in place of an earlier one, and returns how many there are of such votes. */
  addOutcome(id: string, outcome: Outcome): number {
    const isNew = !this.#outcomes.has(id);
    this.#outcomes.delete(id);
    this.#outcomes.set(id, outcome);
    dropOldest(this.#outcomes, MAX_OUTCOMES);
    const data = JSON.stringify(outcome);
    this.#save({ kind: "measurement", id, at: Date.now(), subject: "outcome", data });
    const all = [...this.#measuredElsewhere, ...this.#outcomes.values()];
    if (isNew) this.#calibration.add(outcome);
    else this.#calibration = createCalibration(all);
    return all.filter(({ model, strategy }) => model === outcome.model && strategy === outcome.strategy)
      .length;
  }

  /** How fast models write on their servers. */
  readonly speeds: Speeds = createSpeeds();

  /** Cached verdicts on whether two wordings mean the same; the oldest are evicted first. */
  readonly equivalences: EquivalenceCache = {
    get: (key) => this.#equivalences.get(digest(key)),
    set: (key, same) => {
      this.#equivalences.set(digest(key), same);
      dropOldest(this.#equivalences, MAX_EQUIVALENCES);
    },
  };

  /** How often a model voted for the winner. */
  agreement(model: string): { readonly agreed: number; readonly total: number } | undefined {
    return this.#agreements.get(model);
  }

  record(record: StoreRecord): void {
    if (record.kind !== "ended" || record.model === undefined || !record.votes) return;
    const { agreed, total } = this.#agreements.get(record.model) ?? { agreed: 0, total: 0 };
    this.#agreements.set(record.model, {
      agreed: agreed + (record.agreed ?? 0),
      total: total + record.votes,
    });
    dropOldest(this.#agreements, MAX_MODELS);
  }
}

/** Keys contain whole prompts, so only their digests are stored. */
function digest(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
