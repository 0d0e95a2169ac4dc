import { type CouncilRequest, expectedVotes } from "@mci-ts/council";

/** A way to answer that is compared with others. */
export interface Method {
  readonly request: Pick<CouncilRequest, "intent" | "config">;
  /** The lead that decides a vote. */
  readonly k?: number;
  /** Calls of one question when every reply agrees. */
  readonly minCalls: number;
  /** Calls of one question when each reply is right with the chance p. */
  readonly expectedCalls: (p: number) => number;
}

export const DEFAULT_METHODS = ["single", "vote-1", "vote-3", "vote-5", "council"];
export const METHOD_NAMES = "single, vote-K, council and council-N";

/** `single`, `vote-3`, `council`, `council-5`; undefined for any other name. */
export function methodOf(name: string): Method | undefined {
  const [, kind, size] = /^(single|vote|council)(?:-([1-9]\d?))?$/.exec(name) ?? [];
  const number = size === undefined ? undefined : Number(size);
  if (number !== undefined && number > 25) return undefined;
  if (kind === "single" && number === undefined)
    return {
      request: { intent: "validation", config: { k: 1, max_samples: 1 } },
      minCalls: 1,
      expectedCalls: () => 1,
    };
  if (kind === "vote" && number !== undefined)
    return {
      request: { intent: "validation", config: { k: number } },
      k: number,
      minCalls: number,
      expectedCalls: (p) => expectedVotes(p, number),
    };
  if (kind !== "council") return undefined;
  const seats = number ?? 3;
  const calls = seats + 1;
  return {
    request: { intent: "decision", config: { num_voters: seats } },
    minCalls: calls,
    expectedCalls: () => calls,
  };
}
