import type { CouncilOptions, Model } from "@mci-ts/council";
import type { Context } from "@opentelemetry/api";
import type { DailyBudget } from "../budget/daily-budget.ts";
import { type DailyBudgetedCalls, withDailyBudget } from "../budget/with-daily-budget.ts";
import { traceCalls } from "../telemetry/tracing.ts";
import type { RunDependencies } from "./run-dependencies.ts";

export interface EngineCall {
  /** Its calls end then, in milliseconds of `performance.now()`. */
  readonly deadlineAt: number;
  /** The span that its calls belong to. */
  readonly parent: Context;
  /** What its subject may use today, besides what the service may. */
  readonly subjectBudget?: DailyBudget | undefined;
  readonly onRefused: DailyBudgetedCalls["onRefused"];
  readonly onExpense?: DailyBudgetedCalls["onExpense"];
}

/** What the engine gets from this service, for a run as for a step of a task. The caller adds signal and events. */
export async function engineOptions(
  deps: RunDependencies,
  { deadlineAt, parent, subjectBudget, onRefused, onExpense }: EngineCall,
): Promise<{
  readonly options: Omit<CouncilOptions, "signal" | "onEvent">;
  /** What seats and voters do without, and why. */
  readonly warnings: readonly string[];
}> {
  const { config, models, metrics, dailyBudget, statistics } = deps;
  const { k, maxSamples, maxOutputTokens, prompts, assistedRouting, contextWindow } = config.voting;
  const traced = traceCalls(models.forRun({ deadlineAt }), models, metrics, parent);
  const budgets = subjectBudget ? [subjectBudget, dailyBudget] : [dailyBudget];
  const model: Model = {
    ...withDailyBudget(traced, budgets, { price: models.price, onRefused, onExpense }),
    contextWindow: contextWindow === undefined ? models.contextWindow : () => contextWindow,
    isLocal: models.isLocal,
  };
  const seat = models.simulated ? undefined : deps.seatTools;
  return {
    options: {
      model,
      models: models.names,
      ...(seat ? { tools: seat.tools } : {}),
      price: models.price,
      budget: config.budget,
      defaults: { k, maxSamples, maxOutputTokens, prompts, act: config.act },
      presets: config.presets,
      assistedRouting,
      record: (name) => statistics.agreement(name),
      equivalences: statistics.equivalences,
      calibration: statistics.calibration,
      selfTests: statistics.selfTests,
      speeds: statistics.speeds,
    },
    warnings: seat?.warnings ?? [],
  };
}
