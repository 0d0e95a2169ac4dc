import type { TaskEngine } from "@mci-ts/council";
import { checkTask, compilePlanTask, compileStepsTask, type Model } from "@mci-ts/council";
import { loadExpressions } from "../../mci/src/json/expressions.ts";

/** The engine as the service hands it in, with one model and without a provider. */
export async function testEngine(model: Model): Promise<TaskEngine> {
  const language = await loadExpressions();
  return {
    check: async (value) => checkTask(value, language),
    steps(spec) {
      const task = compileStepsTask(spec, language);
      return {
        ...task,
        solve: (progress, signal) => task.solve(progress, { model, models: { voter: "simulated" }, signal }),
      };
    },
    plan(spec) {
      const task = compilePlanTask(spec);
      const options = (signal: AbortSignal) => ({ model, models: { voter: "simulated" }, signal });
      return {
        limits: task.limits,
        decompose: (spent, signal) => task.decompose(spent, options(signal)),
        solve: (work, signal) => task.solve(work, options(signal)),
        synthesise: (plan, results, spent, signal) => task.synthesise(plan, results, spent, options(signal)),
        answerOf: task.answerOf,
      };
    },
  };
}
