import { PROMPT_VERSIONS, type PromptSet } from "../prompts/prompt-set.ts";
import type { Variety } from "../request-config.ts";
import type { Measured } from "./calibration.ts";

/** A majority of samples that are more often wrong than right, or that all say the same, is worth no more than one of them. */
const canHelp = ({ p, dependence }: Measured) => p > 0.5 && dependence < MAX_DEPENDENCE;
const MAX_DEPENDENCE = 0.85;

/** Undefined where they can. */
export function whyVotesCannotHelp(model: string, measured: Measured): string | undefined {
  if (canHelp(measured)) return undefined;
  const { p, dependence, outcomes } = measured;
  const why =
    p > 0.5
      ? `its samples repeat each other (dependence ${dependence.toFixed(2)})`
      : `one vote is right in only ${Math.round(100 * p)} of 100 cases`;
  return `Votes of ${model} can hardly help here, measured by ${outcomes} outcomes: ${why}. Use another model or a panel of several (config.models), give the facts in the context, or let tools or checks decide.`;
}

/** Outcomes of votes whose samples differ in other ways, or that were asked with other prompts, are not compared. */
export function voteStrategy(vary: ReadonlySet<Variety>, sets: readonly PromptSet[]): string {
  const strategy = `vote, ${[...vary].toSorted().join(" and ") || "resampled"}`;
  // The first prompts have no name.
  const prompts = [...new Set(sets)].filter((set) => PROMPT_VERSIONS[set] > 1).toSorted();
  return [strategy, ...prompts.map((set) => `${set} prompts ${PROMPT_VERSIONS[set]}`)].join(", ");
}

/** More votes that raise the chance by less than this are not worth their calls. */
const MIN_GAIN = 0.02;

/** The smallest lead whose winner is right with the chance wanted; where none is, the smallest that more votes hardly improve. */
export function measuredK(
  measured: Measured,
  { target, maxK }: { readonly target: number; readonly maxK: number },
): { readonly k: number; readonly reached: boolean } {
  const chance = (k: number) => measured.confidence(k, k).value;
  const best = chance(maxK);
  for (let k = 1; k <= maxK; k++) if (chance(k) >= target) return { k, reached: true };
  for (let k = 1; k < maxK; k++) if (chance(k) >= best - MIN_GAIN) return { k, reached: false };
  return { k: maxK, reached: false };
}
