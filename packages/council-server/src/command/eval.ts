import { createCalibration } from "@mci-ts/council";
import { runEval } from "@mci-ts/council-eval";
import { readConfig } from "../config/config.ts";
import { openModels } from "../providers/models.ts";

/** `mci-council eval`: the models of the settings, evaluated on the user's questions; false where they fell below `--fail-under`. */
export function evaluate(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  output: Parameters<typeof runEval>[2],
): Promise<boolean> {
  const open = async () => {
    const { models, budget, voting, presets, warnings } = readConfig(env);
    for (const warning of warnings) output.progress.write(`Warning: ${warning}\n`);
    const opened = await openModels(models);
    const model = () => opened.forRun({ deadlineAt: performance.now() + budget.deadline_ms });
    const { k, maxSamples, maxOutputTokens, prompts, outcomes } = voting;
    const defaults = { k, maxSamples, maxOutputTokens, prompts };
    return { ...opened, budget, defaults, presets, model, calibration: createCalibration(outcomes) };
  };
  return runEval(args, open, output);
}
