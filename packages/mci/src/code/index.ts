export { type CodeTool, type CodeToolOptions, codeTool } from "./code-tool.ts";
export type { CommitOptions, CommitReport, CommittedEntry } from "./plan/commit.ts";
export { type ApprovePlan, describePlan, type Plan, type PlanEntry } from "./plan/plan.ts";
export type { Journal, JournalRecord, PlanStore } from "./plan/plan-store.ts";
export {
  openPlans,
  type PlanDetail,
  type PlanState,
  type PlanSummary,
  type Plans,
} from "./plan/plans.ts";
export {
  type PostgresConnection,
  type PostgresPool,
  postgresPlanStore,
} from "./plan/postgres-plan-store.ts";
export type { Writes } from "./run-code.ts";
export type { CodeLimits } from "./sandbox/sandbox.ts";
