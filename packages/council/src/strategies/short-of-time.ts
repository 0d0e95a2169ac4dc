import type { PromptSet } from "../prompts/prompt-set.ts";
import type { Run } from "../run.ts";

/**
 * Whether the model cannot write much more in the time left than a long proposal or verdict twice, at the speed that it was measured at.
 * A local one that was not measured yet is taken to be as slow as those that kept this run waiting: they are often on one server.
 */
export function isShortOfTime(run: Run, model: string): boolean {
  const tokens = run.speeds.tokensWithin(model, run.budget.remainingMs());
  if (tokens !== undefined) return tokens < SHORT_OF_TIME_TOKENS;
  return run.silentModels.size > 0 && run.isLocal(model);
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

/** The part of the time until the deadline in which there must be a first proposal of local models of unknown speed. */
export const FIRST_REPLY_SHARE = 0.4;

/**
 * Whether it may be too slow for full instructions, for all that is known. Not where shorter ones are not to be had; nor elsewhere than
 * on a local server: at a provider a model is quick, or thinks for long, which shorter instructions do not change.
 */
export function mayBeTooSlow(run: Run, model: string): boolean {
  const { settings, speeds, budget } = run;
  if (!run.isLocal(model) || settings.prompts !== undefined || run.promptSet(model) === "compact")
    return false;
  return speeds.tokensWithin(model, budget.remainingMs()) === undefined;
}

export function noteSilence(run: Run, model: string): void {
  run.silentModels.add(model);
  run.notices.add(
    `${model} had not replied after ${FIRST_REPLY_SHARE * 100} % of the time until the deadline: its calls were ended, to ask for less while there is time.`,
  );
}
