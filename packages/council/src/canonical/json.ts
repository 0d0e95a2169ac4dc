/** Objects and arrays with sorted keys and no layout; undefined for anything else. */
export function canonicalJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  // JSON.parse rounds long numbers, which would make two of them equal.
  if (/\d[\d.]{15,}/.test(text)) return undefined;
  try {
    return stableJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** JSON with sorted keys; undefined for a value that is nested too deeply. */
export function stableJson(value: unknown): string | undefined {
  return isTooDeep(value) ? undefined : JSON.stringify(sorted(value));
}

/** Models send what they like. Far more than real data needs, and far less than recursive code can bear. */
const MAX_DEPTH = 100;

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
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
