/** Limits how many numbers the ranges of one rendering may have together. */
interface RangeBudget {
  range(count: number): void;
}

/** The functions of Jinja templates besides the library's own; a new one is one line here. */
export const FUNCTIONS: Readonly<Record<string, (budget: RangeBudget, ...args: unknown[]) => unknown>> = {
  range,
  raise_exception: (_, message) => {
    throw new Error(String(message));
  },
};

/** The filters besides the library's own, as Jinja2 has them; a new one is one line here. */
export const FILTERS: Readonly<Record<string, (value: unknown, ...args: unknown[]) => unknown>> = {
  truncate,
};

function range(budget: RangeBudget, first: unknown, second?: unknown, third?: unknown): number[] {
  const [start, end] = second === undefined ? [0, first] : [first, second];
  const step = third ?? 1;
  if (!isInteger(start) || !isInteger(end) || !isInteger(step) || step === 0) {
    throw new Error("range() requires whole numbers, and a step that is not 0");
  }
  const count = Math.max(0, Math.ceil((end - start) / step));
  budget.range(count);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

/** Shortens a text to `length` characters, `end` included, after a whole word unless `killwords`; a text of `leeway` more stays. */
function truncate(
  value: unknown,
  length: unknown = 255,
  killwords: unknown = false,
  end: unknown = "...",
  leeway: unknown = 5,
) {
  if (typeof value !== "string" || !isInteger(length) || !isInteger(leeway) || typeof end !== "string")
    throw new Error("truncate(length, killwords, end, leeway) requires a text");
  const characters = [...value];
  if (characters.length <= length + leeway) return value;
  const cut = characters.slice(0, Math.max(0, length - [...end].length)).join("");
  const lastSpace = cut.lastIndexOf(" ");
  return `${killwords || lastSpace === -1 ? cut : cut.slice(0, lastSpace)}${end}`;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
