/** One row of a table of results. */
export interface Row {
  readonly what: string;
  readonly bare?: string;
  readonly ours: string;
  readonly ratio?: number;
  /** What we aim for, as a ratio or in words; the row says whether it was met. */
  readonly target?: number | string;
  /** Whether a target in words was met. Default: not said. */
  readonly met?: boolean;
  readonly note?: string;
}

/** A table with columns of its own, where "bare, ours, ratio" does not fit. */
export interface Table {
  readonly title: string;
  /** How to read it. Default: nothing. */
  readonly about?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Suite {
  readonly title: string;
  /** What "bare" means here, and how it was measured. */
  readonly about: string;
  /** Rows next to each other form one table. */
  run(): Promise<readonly (Row | Table)[]>;
}

export function micro(microseconds: number): string {
  if (microseconds >= 1_000_000) return `${(microseconds / 1_000_000).toFixed(2)} s`;
  if (microseconds >= 1000) return `${(microseconds / 1000).toFixed(2)} ms`;
  return `${microseconds.toFixed(microseconds < 10 ? 2 : 1)} µs`;
}
