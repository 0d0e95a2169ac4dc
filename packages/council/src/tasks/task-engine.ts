import type { Model } from "../model.ts";
import type { CouncilOptions } from "../options.ts";
import { checkTask } from "./check-task.ts";
import type { CallGuard, TaskEngine } from "./engine-port.ts";
import type { TaskLanguage } from "./language.ts";
import { compilePlanTask } from "./plan-task.ts";
import type { StepEnd } from "./step-record.ts";
import { compileStepsTask, type StepOptions } from "./steps-task.ts";
import type { TaskSpec } from "./task-spec.ts";

export interface TaskEngineOptions {
  readonly language: TaskLanguage;
  readonly presets?: CouncilOptions["presets"];
  /** Rejects tasks that cannot run here. Default: all can. */
  readonly check?: (spec: TaskSpec) => Promise<void>;
  /**
   * Does a part of a task with the models and limits of the service, or ends it: where nothing may be spent, say. `subject`: whose task it
   * is, behind an issuer.
   */
  readonly run: <T>(
    signal: AbortSignal,
    work: (options: StepOptions) => Promise<T>,
    subject?: string,
  ) => Promise<T | StepEnd>;
}

/** Steps and plans, compiled, with the models of a service. What a caller did wrong is a `CouncilError`. */
export function createTaskEngine({ language, presets, check, run }: TaskEngineOptions): TaskEngine {
  const guardedFor =
    (subject: string | undefined) =>
    <T>(signal: AbortSignal, guard: CallGuard | undefined, work: (options: StepOptions) => Promise<T>) =>
      run(signal, (options) => work({ ...options, model: guardCalls(options.model, guard) }), subject);
  return {
    async check(value) {
      const spec = checkTask(value, language);
      await check?.(spec);
      return spec;
    },
    steps(spec, subject) {
      const guarded = guardedFor(subject);
      const task = compileStepsTask(spec, language, presets);
      return {
        ...task,
        solve: (progress, signal, guard) =>
          guarded(signal, guard, (options) => task.solve(progress, options)),
      };
    },
    plan(spec, subject) {
      const guarded = guardedFor(subject);
      const task = compilePlanTask(spec, presets);
      const part = <T>(
        signal: AbortSignal,
        guard: CallGuard | undefined,
        work: (options: CouncilOptions) => Promise<T>,
      ) => guarded(signal, guard, ({ checkTools: _, ...options }) => work(options));
      return {
        ...task,
        decompose: (spent, signal, guard) => part(signal, guard, (options) => task.decompose(spent, options)),
        async solve(work, signal, guard) {
          const outcome = await part(signal, guard, (options) => task.solve(work, options));
          return "kind" in outcome
            ? outcome
            : { kind: "undecided", reason: outcome.message, spent: outcome.spent };
        },
        synthesise: (plan, results, spent, signal, guard) =>
          part(signal, guard, (options) => task.synthesise(plan, results, spent, options)),
      };
    },
  };
}

function guardCalls(model: Model, guard: CallGuard | undefined): Model {
  if (guard === undefined) return model;
  return {
    ...model,
    async complete(request, signal) {
      await guard.before();
      signal.throwIfAborted();
      try {
        return await model.complete(request, signal);
      } finally {
        await guard.after();
      }
    },
  };
}
