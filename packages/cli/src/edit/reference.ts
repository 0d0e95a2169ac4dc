/** What `mci add` may say about a toolset. What is undefined stays as the file has it. */
export interface Reference {
  readonly name: string;
  readonly filter?: { readonly type: string; readonly value: string };
  readonly prefix?: string;
}

/** The entry of the list, given the one that is there (if any): a bare name as long as nothing more is to be said. */
export function mergeReference(before: unknown, { name, filter, prefix }: Reference): unknown {
  const kept = isObject(before) ? before : {};
  const merged = {
    ...kept,
    name,
    ...(filter && { filter: filter.type, filterValue: filter.value }),
    ...(prefix !== undefined && { prefix }),
  };
  return Object.keys(merged).length === 1 && !isObject(before) ? name : merged;
}

/** Where the list names the toolset already; -1 if nowhere. */
export function indexOfReference(list: readonly unknown[], name: string): number {
  return list.findIndex((entry) => entry === name || (isObject(entry) && entry.name === name));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
