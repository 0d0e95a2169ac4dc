import type { PromptSet } from "../prompts/prompt-set.ts";
import type { Run } from "../run.ts";

/** Whether the model cannot write much more in the time left than a long proposal or verdict twice, at the speed that it was measured at. */
export function isShortOfTime({ speeds, budget }: Run, model: string): boolean {
  const tokens = speeds.tokensWithin(model, budget.remainingMs());
  return tokens !== undefined && tokens < SHORT_OF_TIME_TOKENS;
}

const SHORT_OF_TIME_TOKENS = 2000;

/**
 * How a seat or a judge is asked. Full instructions ask for texts of hundreds of tokens, which a slow server is cut off in: there the
 * compact ones, whose answers are a few sentences, unless a setting says which.
 */
export function longTextSet(run: Run, model: string): PromptSet {
  if (run.settings.prompts !== undefined || !isShortOfTime(run, model)) return run.promptSet(model);
  run.notices.add(
    `${model} is slow for the deadline: it was asked for a few sentences instead of a full proposal or decision.`,
  );
  return "compact";
}
