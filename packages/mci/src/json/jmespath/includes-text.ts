import type { EvaluationBudget } from "./budget.ts";
import { CHARS_PER_STEP } from "./compare.ts";

/** Below this length the engine's own search takes at most so many comparisons for each character. */
const MAX_NATIVE_CHARS = 32;

/** Like `text.includes(wanted)`, but in linear time: the engine's search is quadratic for texts that repeat themselves. */
export function includesText(text: string, wanted: string, budget: EvaluationBudget): boolean {
  if (wanted.length > text.length) return false;
  if (wanted.length <= MAX_NATIVE_CHARS) {
    budget.spend((text.length * wanted.length) / CHARS_PER_STEP);
    return text.includes(wanted);
  }
  budget.spend((text.length + wanted.length) / 4);
  budget.allocate(4 * wanted.length);
  return search(text, wanted);
}

/** Knuth, Morris and Pratt: `borders[i]` is the longest proper prefix of `wanted` that ends at i. */
function search(text: string, wanted: string): boolean {
  const borders = new Uint32Array(wanted.length);
  for (let i = 1, length = 0; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = borders[length - 1]!;
    if (wanted[i] === wanted[length]) length++;
    borders[i] = length;
  }
  for (let i = 0, length = 0; i < text.length; i++) {
    while (length > 0 && text[i] !== wanted[length]) length = borders[length - 1]!;
    if (text[i] === wanted[length]) length++;
    if (length === wanted.length) return true;
  }
  return false;
}
