import { closestMatch as find } from "@mci-ts/primitives/closest-match";

/**
 * The candidate most similar to a misspelled name, or undefined when none is close. A different case, or different
 * separators (`schema_version` for `schemaVersion`), always counts as close.
 */
export function closestMatch(name: string, candidates: Iterable<string>): string | undefined {
  return find(name, candidates);
}
