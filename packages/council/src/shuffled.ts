/** The numbers below `length` in random order (Fisher and Yates). */
export function shuffled(length: number, random: () => number): readonly number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
