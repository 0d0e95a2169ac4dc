/**
 * Values that survive other screens and a reload of the page: in the storage of this tab, which ends with it. What does not fit
 * there stays in memory.
 */
const inMemory = new Map<string, string>();

export function readStored<T>(key: string): T | undefined {
  try {
    const text = inMemory.get(key) ?? sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export function writeStored(key: string, value: unknown): void {
  inMemory.delete(key);
  const text = value === undefined ? undefined : JSON.stringify(value);
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // An older, smaller text must not come back instead.
    sessionStorage.removeItem(key);
    if (text !== undefined) inMemory.set(key, text);
  }
}
