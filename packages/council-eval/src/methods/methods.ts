import type { CouncilRequest } from "@mci-ts/council";
import { expectedVotes } from "@mci-ts/council/expected-votes";

/** A way to answer that is compared with others. */
export interface Method {
  /** What the engine is asked; absent for a baseline that does not use it. */
  readonly request?: Pick<CouncilRequest, "intent" | "config">;
  /** Bare calls without the engine: how many, and how they differ. The most frequent answer is the answer. */
  readonly loop?: { readonly samples: number; readonly temperature: number };
  /** The lead that decides a vote. */
  readonly k?: number;
  /** Those of a variant, as they were written: results under the same name with others are not its own. */
  readonly settings?: string;
  /** Calls of one question when every reply agrees. */
  readonly minCalls: number;
  /** Calls of one question when each reply is right with the chance p. */
  readonly expectedCalls: (p: number) => number;
}

/** By name, in the order in which they are compared; the first one is what the others are compared with. */
export type Methods = ReadonlyMap<string, Method>;

export const DEFAULT_METHODS = ["single", "self-consistency-5", "vote-3", "vote-5", "council"];
export const METHOD_NAMES = "plain, single, self-consistency-N, vote-K, council and council-N";

/** `plain`, `single`, `self-consistency-5`, `vote-3`, `council`, `council-5`; undefined for any other name. */
export function methodOf(name: string): Method | undefined {
  const [, kind, size] = /^(plain|single|self-consistency|vote|council)(?:-([1-9]\d?))?$/.exec(name) ?? [];
  const number = size === undefined ? undefined : Number(size);
  if (kind === undefined || (number !== undefined && number > 25)) return undefined;
  return KINDS[kind]!(number);
}

const fixed = (calls: number) => ({ minCalls: calls, expectedCalls: () => calls });

const KINDS: Readonly<Record<string, (size: number | undefined) => Method | undefined>> = {
  plain: (size) => (size === undefined ? { loop: { samples: 1, temperature: 0 }, ...fixed(1) } : undefined),
  single: (size) =>
    size === undefined
      ? { request: { intent: "validation", config: { k: 1, max_samples: 1 } }, ...fixed(1) }
      : undefined,
  "self-consistency": (size) =>
    size === undefined ? undefined : { loop: { samples: size, temperature: 0.7 }, ...fixed(size) },
  vote: (size) =>
    size === undefined
      ? undefined
      : {
          request: { intent: "validation", config: { k: size } },
          k: size,
          minCalls: size,
          expectedCalls: (p) => expectedVotes(p, size),
        },
  council: (size = 3) => ({
    request: { intent: "decision", config: { num_voters: size } },
    ...fixed(size + 1),
  }),
};
