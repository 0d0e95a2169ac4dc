import type {
  Decomposition,
  PlanResults,
  PlanStepResult,
  PlanTaskSpec,
  Spending,
  Step,
  StepEnd,
  StepOutcome,
  StepsProgress,
  StepsTask,
  StepsTaskSpec,
  TaskSpec,
} from "@mci-ts/council";

/**
 * The port to the council: what tasks need of it. The service hands it in, so that this package holds no second copy of the engine
 * and knows no provider.
 */
export interface TaskEngine {
  /** The checked task; throws what the service reports as a bad request. */
  check(value: unknown): Promise<TaskSpec>;
  steps(spec: StepsTaskSpec): StepsEngine;
  plan(spec: PlanTaskSpec): PlanEngine;
}

export interface StepsEngine extends Omit<StepsTask, "solve"> {
  /** Votes on the next step. Rejects when the signal aborts. */
  solve(progress: StepsProgress, signal: AbortSignal): Promise<StepOutcome>;
}

export interface PlanEngine {
  /** A decomposition that was voted on. Rejects when the signal aborts. */
  decompose(spent: Spending, signal: AbortSignal): Promise<PlannedOutcome>;
  /** Solves one step with the results of those it depends on. */
  solve(work: PlanWork, signal: AbortSignal): Promise<PlanStepResult>;
  /** Puts the results together. */
  synthesise(
    plan: Decomposition,
    results: PlanResults,
    spent: Spending,
    signal: AbortSignal,
  ): Promise<SynthesisOutcome>;
  /** A person's answer as a result; throws what the service reports as a bad request. */
  answerOf(answer: unknown): PlanStepResult;
}

export interface PlanWork {
  readonly plan: Decomposition;
  readonly step: Step;
  /** Of its dependencies. */
  readonly results: PlanResults;
  /** By the whole task before this step. */
  readonly spent: Spending;
}

export type PlannedOutcome = { readonly plan: Decomposition; readonly spent: Spending } | StepEnd;
export type SynthesisOutcome = { readonly result: string; readonly spent: Spending } | StepEnd;

/** What is counted. */
export interface TaskMetrics {
  onStep(decided: boolean): void;
  /** A step was voted on again, because the instance that was at it is gone. */
  onRecovered(): void;
}
