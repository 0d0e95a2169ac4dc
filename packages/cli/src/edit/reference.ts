import { isObject } from "@mci-ts/primitives/is-object";

/** What `mci add` sets for a toolset. Undefined fields stay as they are in the file. */
export interface ToolsetReference {
  readonly name: string;
  readonly filter?: { readonly type: string; readonly value: string };
  readonly prefix?: string;
}

/** The entry of the list, given the one that is there (if any): a bare name unless there are options. */
export function mergeReference(before: unknown, { name, filter, prefix }: ToolsetReference): unknown {
  const existing = isObject(before) ? before : {};
  const merged = {
    ...existing,
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
