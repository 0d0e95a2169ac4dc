import { type CouncilOptions, canonical, type ModelUsage } from "@mci-ts/council";
import type { Question } from "../questions/questions.ts";

export interface LoopResult {
  readonly answer: string | null;
  readonly votes: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly cost_usd: number | null;
}

/**
 * What one writes without this project: the same question several times, the last line that says "Answer:" of each reply, and
 * the most frequent of them. No schema, no red flags, no stopping rule.
 */
export async function askInLoop(
  { prompt, context }: Question,
  { samples, temperature }: { readonly samples: number; readonly temperature: number },
  { model, price }: Pick<CouncilOptions, "model" | "price">,
  name: string,
): Promise<LoopResult> {
  const material = context === undefined ? "" : `\n\n${JSON.stringify(context)}`;
  const content = `${prompt}${material}\n\nEnd with a line "Answer: " and the bare answer.`;
  const votes = new Map<string, { label: string; count: number }>();
  let cost: number | null = 0;
  for (let i = 0; i < samples; i++) {
    const request = { model: name, purpose: "baseline", temperature, maxOutputTokens: 512 };
    const { text, usage } = await model.complete(
      { ...request, messages: [{ role: "user", content }] },
      // The time of a call is limited by the service's own setting, for all methods alike.
      new AbortController().signal,
    );
    const label = lastAnswer(text);
    const { key } = canonical(label);
    votes.set(key, { label, count: (votes.get(key)?.count ?? 0) + 1 });
    const usd = costOf(usage);
    cost = usd === null || cost === null ? null : cost + usd;
  }
  const counted = [...votes.values()].toSorted((a, b) => b.count - a.count);
  return {
    answer: counted[0]?.label || null,
    votes: Object.fromEntries(counted.map(({ label, count }) => [label, count])),
    calls: samples,
    cost_usd: cost,
  };

  /** What follows the last "Answer:", or the first line. */
  function lastAnswer(text: string): string {
    const marker = [...text.matchAll(/\banswer {0,3}:/gi)].at(-1);
    const rest = marker === undefined ? text : text.slice(marker.index + marker[0].length);
    const start = rest.search(/[^\s*]/);
    return (start < 0 ? text : rest.slice(start)).split("\n", 1)[0]!.trim();
  }

  function costOf(usage: ModelUsage): number | null {
    return price?.(name, usage) ?? null;
  }
}
