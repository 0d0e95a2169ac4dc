import { CouncilError } from "./errors.ts";
import type { Run } from "./run.ts";

/** Why a run has no result. Never an empty win. */
export function noResultError(run: Run, seen: { flagged: number; reasons: readonly string[] }): CouncilError {
  const { stopped } = run.budget;
  const { lastError, retryAfterMs } = run.client;
  if (stopped === "cancelled") return new CouncilError("cancelled", "The run was cancelled.");
  if (stopped === "deadline_ms") {
    return new CouncilError(
      "deadline_exceeded",
      lastError === undefined
        ? "The deadline passed before the first usable answer. Raise deadline_ms."
        : `The deadline passed while calls to the model failed and were retried: ${lastError}`,
      { retryAfterMs },
    );
  }
  if (stopped !== undefined) {
    return new CouncilError(
      "budget_exhausted",
      `The budget ${stopped} was spent before the first usable answer. Raise it.`,
    );
  }
  return seen.flagged > 0
    ? new CouncilError(
        "no_valid_answer",
        `None of ${seen.flagged} replies of the model was valid. Red flags: ${withCounts(seen.reasons)}. Try another model, or the provider's structured output.`,
      )
    : new CouncilError("all_calls_failed", `No call to the model succeeded: ${withCounts(seen.reasons)}`, {
        retryAfterMs,
      });
}

/** The most frequent reasons, each with how often it was given. */
export function withCounts(reasons: readonly string[]): string {
  return [...Map.groupBy(reasons, (reason) => reason)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 3)
    .map(([reason, { length }]) => (length > 1 ? `${reason} (${length} times)` : reason))
    .join("; ");
}
