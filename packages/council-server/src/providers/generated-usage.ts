import type { ModelReply } from "@mci-ts/council";
import type { LanguageModel } from "./language-model.ts";

type Generated = Awaited<ReturnType<LanguageModel["doGenerate"]>>;

/** The usage of a call as the SDK reports it. */
export function usageOf(
  { usage }: Pick<Generated, "usage">,
  reasoningBesideCompletion: boolean,
): ModelReply["usage"] {
  const reasoningTokens = tokens(usage.outputTokens.reasoning);
  const cost = usage.raw?.["cost"];
  return {
    inputTokens: tokens(usage.inputTokens.total),
    outputTokens: tokens(usage.outputTokens.total) + (reasoningBesideCompletion ? reasoningTokens : 0),
    reasoningTokens,
    cachedInputTokens: tokens(usage.inputTokens.cacheRead),
    cacheWriteTokens: tokens(usage.inputTokens.cacheWrite),
    ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {}),
  };
}

/** Providers count as they please; budgets and the history rely on whole numbers that never fall. */
function tokens(counted: number | undefined): number {
  const whole = Math.round(counted ?? 0);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}
