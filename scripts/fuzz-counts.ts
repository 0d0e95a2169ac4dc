import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** What all runs of one property did together. */
export interface FuzzCount {
  readonly attempts: number;
  readonly cpuSeconds: number;
  readonly seeds: readonly number[];
}

const NOTHING: FuzzCount = { attempts: 0, cpuSeconds: 0, seeds: [] };

/** The attempts of each property over several runs, in a file, so that a long campaign can be interrupted. */
export class FuzzCounts {
  readonly #file: string;
  readonly #counts: Record<string, FuzzCount>;

  constructor(file: string) {
    this.#file = file;
    this.#counts = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  of(name: string): FuzzCount {
    return Object.hasOwn(this.#counts, name) ? this.#counts[name]! : NOTHING;
  }

  add(name: string, attempts: number, cpuSeconds: number, seed: number): void {
    const before = this.of(name);
    this.#counts[name] = {
      attempts: before.attempts + attempts,
      cpuSeconds: before.cpuSeconds + cpuSeconds,
      seeds: [...before.seeds, seed],
    };
    // Whole or not at all: a campaign may be ended at any moment.
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#counts, undefined, 1)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** The one that needs the least processor time to reach a number of attempts; one without a rate comes first. */
  next<T extends { readonly name: string }>(properties: readonly T[], goal: number): T | undefined {
    const open = properties.filter(({ name }) => this.of(name).attempts < goal);
    const seconds = ({ name }: T) => {
      const { attempts, cpuSeconds } = this.of(name);
      return attempts === 0 ? cpuSeconds : ((goal - attempts) / attempts) * cpuSeconds;
    };
    return open.toSorted((a, b) => seconds(a) - seconds(b))[0];
  }
}
