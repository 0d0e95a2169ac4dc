/** What checking one answer may take: about a twentieth of a second. */
const MAX_STEPS = 200_000;
/** A text is brought into the form in which it is compared, unless it is longer than a short answer. */
const TEXT_STEPS = 30;
/** What a longer text costs at most: it is compared as it was written. */
const MAX_TEXT_STEPS = 4000;
/** Names are sorted, and objects built with them, each time that a vote is counted or shown. */
const NAME_STEPS = 2;
/** Levels of an answer. Deeper ones would exhaust the stack of whatever reads them. */
const MAX_DEPTH = 200;

/** The answer would take too long to check. */
export class WorkLimitError extends Error {
  override readonly name = "WorkLimitError";
}

/** Counts down during one check. */
export class Work {
  #left = MAX_STEPS;

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0)
      throw new WorkLimitError(
        "takes too long to check: it has too many values or too much text, or they multiply with the parts of the schema",
      );
  }

  /** The engine lists the keys of a large object slowly, so they count each time that a part of the schema asks for them. */
  keysOf(value: object): readonly string[] {
    const keys = Object.keys(value);
    this.spend(1 + keys.length / 2);
    return keys;
  }

  /** Every value counts, also where no schema looks at it. */
  measure(value: unknown, depth = 0): void {
    if (depth > MAX_DEPTH) throw new WorkLimitError(`is nested deeper than ${MAX_DEPTH} levels`);
    this.spend(typeof value === "string" ? TEXT_STEPS + Math.min(value.length, MAX_TEXT_STEPS) : 1);
    if (typeof value !== "object" || value === null) return;
    const items = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value)) this.spend(NAME_STEPS * items.length);
    for (const item of items) this.measure(item, depth + 1);
  }
}
