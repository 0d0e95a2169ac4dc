import { createHash } from "node:crypto";
import { createSpeeds, type EquivalenceCache, type Speeds } from "@mci-ts/council";
import type { StoreRecord, VoteAgreement } from "../store/records.ts";

const MAX_EQUIVALENCES = 10_000;
/** Bounded, because requests may name any model. */
const MAX_MODELS = 1000;

/** What runs learn from earlier ones: vote agreement per model, and which answers are equivalent. */
export class RunStatistics {
  readonly #agreements = new Map<string, { agreed: number; total: number }>();
  readonly #selfTests = new Map<string, boolean>();
  readonly #equivalences = new Map<string, boolean>();

  constructor(agreements: readonly VoteAgreement[]) {
    for (const { model, agreed, total } of agreements) this.#agreements.set(model, { agreed, total });
  }

  /** Which models passed the self-test for that; bounded like the models themselves. */
  readonly selfTests: EquivalenceCache = {
    get: (key) => this.#selfTests.get(key),
    set: (key, passed) => {
      this.#selfTests.set(key, passed);
      dropOldest(this.#selfTests, MAX_MODELS);
    },
  };

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
