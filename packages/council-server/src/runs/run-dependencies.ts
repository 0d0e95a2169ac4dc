import type { Log } from "@mci-ts/council";
import type { DailyBudget } from "../budget/daily-budget.ts";
import type { SessionBudgets } from "../budget/session-budgets.ts";
import type { SubjectBudgets } from "../budget/subject-budgets.ts";
import type { Config } from "../config/config.ts";
import type { Models } from "../providers/models.ts";
import type { Store } from "../store/store.ts";
import type { ServiceMetrics } from "../telemetry/service-metrics.ts";
import type { SeatTools } from "../tools/seat-tools.ts";
import type { RunResponse } from "./live/live-run.ts";
import type { RunStatistics } from "./run-statistics.ts";

/** What all runs and tasks share. */
export interface RunDependencies {
  readonly config: Config;
  /** This process, in the log and in the ids of its leases. */
  readonly instance: string;
  /** What seats and voters may call. */
  readonly seatTools?: SeatTools;
  readonly models: Models;
  readonly store: Store;
  readonly metrics: ServiceMetrics;
  readonly dailyBudget: DailyBudget;
  readonly sessionBudgets: SessionBudgets;
  readonly subjectBudgets: SubjectBudgets;
  readonly statistics: RunStatistics;
  /** The status that clients know for a response; the history has it, too. */
  readonly statusOf: (body: RunResponse["body"]) => number;
  readonly log: Log;
}
