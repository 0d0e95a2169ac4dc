import type { EvaluationBudget } from "./budget.ts";

/** `[start:stop:step]`, as in Python. */
export function slice(
  list: readonly unknown[],
  [from = null, to = null, by = null]: readonly (number | null)[],
  budget: EvaluationBudget,
): unknown[] {
  const step = by ?? 1;
  if (step === 0) throw new Error("the step of a slice cannot be 0");
  const start = from === null ? (step < 0 ? list.length - 1 : 0) : clamp(from, list.length, step);
  const stop = to === null ? (step < 0 ? -1 : list.length) : clamp(to, list.length, step);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  budget.spend(count);
  budget.allocate(8 * count);
  return Array.from({ length: count }, (_, i) => list[start + i * step]);
}

function clamp(index: number, length: number, step: number): number {
  const lowest = step < 0 ? -1 : 0;
  if (index < 0) return Math.max(lowest, index + length);
  return index >= length ? length + lowest : index;
}
