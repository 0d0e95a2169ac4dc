import type { Budget } from "../request-config.ts";
import type { Decomposition, Step } from "../result.ts";
import type { PlanResults, PlanStepResult } from "./plan.ts";
import type { StepEnd, StepOutcome, StepsProgress } from "./step-record.ts";
import type { StepsTask } from "./steps-task.ts";
import type { PlanTaskSpec, StepsTaskSpec, TaskSpec } from "./task-spec.ts";
import type { TaskUsage } from "./usage.ts";

/**
 * The port to the council: what tasks need of it. The service hands it in, so that this package holds no second copy of the engine
 * and knows no provider.
 */
export interface TaskEngine {
  /** The checked task; throws what the service reports as a bad request. */
  check(value: unknown): Promise<TaskSpec>;
  /** `subject`: whose task it is, behind an issuer. */
  steps(spec: StepsTaskSpec, subject?: string): StepsEngine;
  plan(spec: PlanTaskSpec, subject?: string): PlanEngine;
}

/** What is done around every call of a task: by whatever runs it, which records what is open. */
export interface CallGuard {
  /** Runs before the call; the call is not made if this rejects. */
  before(): Promise<void>;
  /** Runs after the call, before its reply is evaluated. */
  after(): Promise<void>;
}

export interface StepsEngine extends Omit<StepsTask, "solve"> {
  /** Votes on the next step. Rejects when the signal aborts. */
  solve(progress: StepsProgress, signal: AbortSignal, guard?: CallGuard): Promise<StepOutcome>;
}

/** `Call` is what each call is given: a signal here, the options of the engine where it is compiled (`plan-task.ts`). */
export interface PlanEngine<Call = AbortSignal> {
  /** The budget of the whole task. */
  readonly limits: Budget;
  /** A decomposition that was voted on. Rejects when the call is aborted. */
  decompose(spent: TaskUsage, call: Call, guard?: CallGuard): Promise<PlannedOutcome>;
  /** Solves one step with the results of those it depends on. */
  solve(work: PlanWork, call: Call, guard?: CallGuard): Promise<PlanStepResult>;
  /** Puts the results together. */
  synthesise(
    plan: Decomposition,
    results: PlanResults,
    spent: TaskUsage,
    call: Call,
    guard?: CallGuard,
  ): Promise<SynthesisOutcome>;
  /** A person's answer as a result; throws what the service reports as a bad request. */
  answerOf(answer: unknown): PlanStepResult;
}

export interface PlanWork {
  readonly plan: Decomposition;
  readonly step: Step;
  /** The results of its dependencies. */
  readonly results: PlanResults;
  /** Its part of what the task has left. */
  readonly budget: Budget;
}

export type PlannedOutcome = { readonly plan: Decomposition; readonly spent: TaskUsage } | StepEnd;
export type SynthesisOutcome = { readonly result: string; readonly spent: TaskUsage } | StepEnd;

/** What is counted. */
export interface TaskMetrics {
  onStep(decided: boolean): void;
  /** A step was voted on again, because the instance that was at it is gone. */
  onRecovered(): void;
  /** Steps that stayed undecided are tried again, because the task was resumed. */
  onRetried(steps: number): void;
  /** Tasks of an instance that is gone were given to others. */
  onTakenOver(tasks: number): void;
}
