import { createTaskEngine, type Model, type TaskEngine } from "@mci-ts/council";
import { loadExpressions } from "../../mci/src/json/expressions.ts";

/** The engine as the service hands it in, with one model and without a provider. */
export async function testEngine(model: Model): Promise<TaskEngine> {
  return createTaskEngine({
    language: await loadExpressions(),
    run: (signal, work) => work({ model, models: { voter: "simulated" }, signal }),
  });
}
