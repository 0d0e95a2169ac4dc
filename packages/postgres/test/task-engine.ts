import type { TaskEngine } from "@mci-ts/council";
import { checkTask, compileStepsTask, type Model } from "@mci-ts/council";
import { loadExpressions } from "../../mci/src/expressions.ts";

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
    plan() {
      throw new Error("no plans here");
    },
  };
}
