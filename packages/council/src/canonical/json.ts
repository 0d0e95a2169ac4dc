/** Objects and arrays with sorted keys and no layout; undefined for anything else. */
export function canonicalJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  // JSON.parse rounds long numbers, which would make two of them equal.
  if (/\d[\d.]{15,}/.test(text)) return undefined;
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
