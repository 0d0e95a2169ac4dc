/**
 * Tells of an env value and, if it is an object or array, of every string in it. `told` remembers objects that were told
 * of already, so that a loop does not tell of them in each round (and a loop of references ends).
 */
export function reportSecrets(value: unknown, onEnv: (value: unknown) => void, seen: Set<unknown>): void {
  if (seen.has(value)) return;
  onEnv(value);
  const pending: unknown[] = typeof value === "object" ? [value] : [];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") onEnv(next);
    else if (typeof next === "object" && next !== null && !seen.has(next)) {
      seen.add(next);
      for (const item of Object.values(next)) pending.push(item);
    }
  }
}
