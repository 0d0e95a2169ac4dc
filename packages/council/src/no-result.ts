import { CouncilError } from "./errors.ts";
import type { Run } from "./run.ts";

/** Why a run has nothing to show. Never an empty win. */
export function noResultError(run: Run, seen: { flagged: number; reasons: readonly string[] }): CouncilError {
  const { stopped } = run.budget;
  const { retryAfterMs } = run.client;
  if (stopped === "cancelled") return new CouncilError("cancelled", "The run was cancelled.");
  if (stopped === "deadline_ms") {
    const { lastError } = run.client;
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
  const reasons = [...new Set(seen.reasons)].slice(0, 3).join("; ");
  return seen.flagged > 0
    ? new CouncilError("no_valid_answer", `Every answer of the model was red-flagged: ${reasons}`)
    : new CouncilError("all_calls_failed", `No call to the model succeeded: ${reasons}`, { retryAfterMs });
}
