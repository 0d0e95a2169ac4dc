import type { McpServer } from "../../schema/document.ts";

/** What a server's settings say about one of its lists: all, none, or some by their names. */
export type Included = McpServer["resources"];

export function passesFor(included: Included): (...names: readonly string[]) => boolean {
  if (typeof included !== "object") return () => included !== false;
  const named = new Set(itemsOf(included.filterValue));
  const isOnly = included.filter === "only";
  return (...names) => names.some((name) => named.has(name)) === isOnly;
}

export function itemsOf(list: string): string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
