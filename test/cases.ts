/**
 * How many different inputs a property has checked, where one generated document is tried with several: what is slow to prepare
 * (a compiled schema, an index, a digest) is prepared once. `npm run fuzz` reports this number instead of the runs.
 */
export class Cases {
  count = 0;

  /** The inputs that differ from each other; each is counted when it is reached. */
  *of<T>(inputs: Iterable<T>): Generator<T> {
    const seen = new Set<string>();
    for (const input of inputs) {
      const text = JSON.stringify(input) ?? "undefined";
      if (seen.has(text)) continue;
      seen.add(text);
      this.count += 1;
      yield input;
    }
  }
}
