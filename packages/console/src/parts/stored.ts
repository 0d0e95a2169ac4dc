import { useEffect, useState } from "react";

/**
 * Values that survive other screens and a reload of the page: in the storage of this tab, which ends with it. What does not fit
 * there stays in memory.
 */
const inMemory = new Map<string, string>();

/** A state that survives them. What equals `initial`, the same object, is not stored. */
export function useStored<T>(key: string, initial: T) {
  const [value, setValue] = useState<T>(() => readStored<T>(key) ?? initial);
  useEffect(() => writeStored(key, value === initial ? undefined : value), [key, value, initial]);
  const clear = () => {
    // At once: what is on the screen may be gone before it is drawn again.
    writeStored(key, undefined);
    setValue(initial);
  };
  return [value, setValue, clear] as const;
}

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
