import type { EquivalenceCache } from "@mci-ts/council";
import type { Agreement, StoreRecord } from "../store/records.ts";

const MAX_EQUIVALENCES = 10_000;

/** What one run may learn from those before it. */
export class Memory {
  readonly #agreements = new Map<string, { agreed: number; total: number }>();
  readonly #same = new Map<string, boolean>();

  constructor(agreements: readonly Agreement[]) {
    for (const { model, agreed, total } of agreements) this.#agreements.set(model, { agreed, total });
  }

  /** Whether two wordings mean the same, asked once; the oldest questions are forgotten first. */
  readonly equivalences: EquivalenceCache = {
    get: (key) => this.#same.get(key),
    set: (key, same) => {
      this.#same.set(key, same);
      const [oldest] = this.#same.keys();
      if (this.#same.size > MAX_EQUIVALENCES && oldest !== undefined) this.#same.delete(oldest);
    },
  };

  /** How often a model's votes were for the answer that won. */
  agreement(model: string): { readonly agreed: number; readonly total: number } | undefined {
    return this.#agreements.get(model);
  }

  learn(record: StoreRecord): void {
    if (record.kind !== "ended" || record.model === undefined || !record.votes) return;
    const { agreed, total } = this.#agreements.get(record.model) ?? { agreed: 0, total: 0 };
    this.#agreements.set(record.model, {
      agreed: agreed + (record.agreed ?? 0),
      total: total + record.votes,
    });
  }
}
