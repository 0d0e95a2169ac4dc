import type { ReasoningEffort } from "./model.ts";
import type { CouncilOptions } from "./options.ts";
import { type PromptSet, promptSetFor } from "./prompts/prompt-set.ts";
import type { Escalation, RunRequest, Variety } from "./request-config.ts";
import { kMin, lowerBound } from "./voting/statistics.ts";
import { measuredK, voteStrategy } from "./voting/vote-limits.ts";

/** The settings of one run: from the request, else from the options, else our defaults. */
export interface Settings {
  readonly k: number;
  /** Whether the request set k; the council lowers a default k to what its seats can reach. */
  readonly kRequested: boolean;
  readonly maxSamples: number;
  readonly maxOutputTokens: number;
  /** Whether the request set that limit, so that it is never raised. */
  readonly maxOutputTokensRequested: boolean;
  readonly reasoningEffort: ReasoningEffort | undefined;
  readonly peerRanking: boolean;
  /** Undefined: by the model. */
  readonly prompts: PromptSet | undefined;
  /** The lead that is enough while all votes agree; undefined: `k`. */
  readonly cheapK: number | undefined;
  /** What the samples of a vote differ in. */
  readonly vary: ReadonlySet<Variety>;
  readonly hedge: boolean;
  readonly speculation: number;
  /** Undefined where the request leaves it to the strategy. */
  readonly escalate: readonly Escalation[] | undefined;
  /** The first of `voters`. */
  readonly voter: string;
  /** The models of votes, in turn. */
  readonly voters: readonly string[];
  /** One model per seat. */
  readonly seats: readonly string[];
  /** In the order in which they are tried. */
  readonly judges: readonly string[];
  readonly helper: string;
  readonly second: string | undefined;
  /** What the caller should know about these settings. */
  readonly warnings: readonly string[];
}

/** Chosen by measurement, see docs/council/trust.md. */
const DEFAULT_VARY: readonly Variety[] = ["wording", "options"];
const MAX_K = 25;
/** Used for p where a model has no track record: most models are right on most short questions. */
const ASSUMED_P = 0.8;

export function resolveSettings({ config = {} }: RunRequest, options: CouncilOptions): Settings {
  const { models, defaults = {} } = options;
  const panel = config.models;
  const voter = panel?.[0] ?? config.model ?? models.voter;
  const judge = config.judge_model ?? config.model ?? models.judge ?? models.voter;
  const fallbacks = models.fallbacks ?? [];
  const vary: ReadonlySet<Variety> = new Set(config.vary ?? DEFAULT_VARY);
  const prompts = config.prompts ?? defaults.prompts;
  const voters = panel ?? [voter];
  const strategy = voteStrategy(
    vary,
    voters.map((model) => prompts ?? promptSetFor(model)),
  );
  const requestedK = config.k ?? defaults.k ?? 3;
  const { k, warnings } =
    requestedK === "auto" ? autoK(voters, config, options, strategy) : { k: requestedK, warnings: [] };
  const { max_samples } = config;
  const raised =
    max_samples !== undefined && max_samples < k
      ? [
          `max_samples is ${max_samples}, below k: a vote takes up to ${k} samples, because with fewer no answer can be ${k} ahead.`,
        ]
      : [];
  const seats = panel ?? (config.model === undefined ? (models.seats ?? [voter]) : [voter]);
  const numVoters =
    config.num_voters ?? (panel && panel.length > 1 ? panel.length : (defaults.numVoters ?? 3));
  return {
    k,
    kRequested: config.k !== undefined,
    maxSamples: Math.max(k, max_samples ?? defaults.maxSamples ?? 8 * k + 8),
    maxOutputTokens: config.max_output_tokens ?? defaults.maxOutputTokens ?? 8192,
    maxOutputTokensRequested: config.max_output_tokens !== undefined,
    reasoningEffort: config.reasoning_effort,
    hedge: config.hedge ?? false,
    speculation: config.speculation ?? 0,
    escalate: config.escalate ?? (config.cheap_first ? ["second_model", "council"] : undefined),
    voter,
    voters,
    peerRanking: config.peer_ranking ?? false,
    prompts,
    vary,
    cheapK: config.cheap_first ? cheapLead(voters, config, options, strategy) : undefined,
    seats: Array.from({ length: numVoters }, (_, i) => seats[i % seats.length]!),
    judges: [...new Set([judge, ...fallbacks, voter])],
    helper: config.model ?? models.helper ?? models.voter,
    second: fallbacks.find((model) => model !== voter),
    warnings: [...warnings, ...raised],
  };
}

/** One vote, where outcomes show that it reaches the target alone; else two that agree. */
function cheapLead(
  voters: readonly string[],
  { target = 0.99 }: { target?: number },
  { calibration }: CouncilOptions,
  strategy: string,
): number {
  const model = [...new Set(voters)].join(", ");
  const outcomes = calibration?.measured({ model, strategy });
  return outcomes && outcomes.confidence(1, 1).value >= target ? 1 : 2;
}

/** From measured outcomes where there are enough, with the dependence between samples; else from how often votes agreed. */
function autoK(
  voters: readonly string[],
  { target = 0.99, steps = 1 }: { target?: number; steps?: number },
  { record, calibration }: CouncilOptions,
  strategy: string,
): { k: number; warnings: readonly string[] } {
  const [voter] = voters as [string];
  const model = [...new Set(voters)].join(", ");
  const outcomes = calibration?.measured({ model, strategy });
  if (outcomes) {
    const { k, reached } = measuredK(outcomes, { target: target ** (1 / steps), maxK: MAX_K });
    if (reached) return { k, warnings: [] };
    const chance = Math.round(1000 * outcomes.confidence(k, k).value) / 10;
    return {
      k,
      warnings: [
        `k: "auto" cannot reach the target of ${target}: with k = ${k} an answer of ${model} is right with a chance of ${chance} %, and more votes hardly change that (measured by ${outcomes.outcomes} outcomes, dependence ${outcomes.dependence.toFixed(2)}). Use another model or a panel, or a lower target.`,
      ],
    };
  }
  const agreement = record?.(voter);
  const measured = agreement !== undefined && agreement.total > 0;
  const p = measured ? lowerBound(agreement.agreed, agreement.total) : ASSUMED_P;
  const k = kMin({ p, target, steps });
  if (k <= MAX_K) return { k, warnings: [] };
  const why =
    p <= 0.5
      ? `too few of its votes agreed with the winner (${agreement?.agreed} of ${agreement?.total})`
      : `it would take k = ${k}`;
  return {
    k: MAX_K,
    warnings: [
      `k: "auto" cannot reach the target of ${target} with ${voter}: ${why}. k is ${MAX_K}; use a better model, or a lower target.`,
    ],
  };
}
