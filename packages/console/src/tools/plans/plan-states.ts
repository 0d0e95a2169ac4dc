import type { CommittedEntry, PlanState } from "mci-ts/code";

/** Badge and words for each state of a plan. */
export const PLAN_STATES: Readonly<Record<PlanState, readonly [badge: string, label: string]>> = {
  waiting: ["paused", "waits for approval"],
  committing: ["running", "being executed"],
  incomplete: ["partial", "not finished"],
  committed: ["complete", "executed"],
  changed: ["failed", "edited, never executed"],
};

export const ENTRY_STATES: Readonly<
  Record<CommittedEntry["state"], readonly [badge: string, label: string]>
> = {
  not_started: ["", "not sent"],
  done: ["complete", "done"],
  failed: ["failed", "failed"],
  unknown: ["partial", "outcome unknown"],
};
