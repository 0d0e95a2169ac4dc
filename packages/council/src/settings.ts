import type { CouncilOptions } from "./options.ts";
import type { CouncilRequest, Escalation } from "./request.ts";
import { kMin, lowerBound } from "./voting/statistics.ts";

/** The settings of one run: from the request, else from the options, else our defaults. */
export interface Settings {
  readonly k: number;
  /** Whether the request set k; the council lowers a default k to what its seats can reach. */
  readonly kRequested: boolean;
  readonly maxSamples: number;
  readonly maxOutputTokens: number;
  readonly hedge: boolean;
  readonly speculation: number;
  readonly escalate: readonly Escalation[];
  readonly voter: string;
  /** One model per seat. */
  readonly seats: readonly string[];
  /** In the order in which they are tried. */
  readonly judges: readonly string[];
  readonly helper: string;
  readonly second: string | undefined;
}

const MAX_K = 25;
/** Used for p where a model has no track record: most models are right on most short questions. */
const ASSUMED_P = 0.8;

export function resolveSettings({ config = {} }: CouncilRequest, options: CouncilOptions): Settings {
  const { models, defaults = {} } = options;
  const voter = config.model ?? models.voter;
  const judge = config.model ?? models.judge ?? models.voter;
  const fallbacks = models.fallbacks ?? [];
  const requestedK = config.k ?? defaults.k ?? 3;
  const k = requestedK === "auto" ? autoK(voter, config, options) : requestedK;
  const seats = config.model === undefined ? (models.seats ?? [voter]) : [voter];
  const numVoters = config.num_voters ?? defaults.numVoters ?? 3;
  return {
    k,
    kRequested: config.k !== undefined,
    maxSamples: Math.max(k, config.max_samples ?? defaults.maxSamples ?? 8 * k + 8),
    maxOutputTokens: defaults.maxOutputTokens ?? 4096,
    hedge: config.hedge ?? false,
    speculation: config.speculation ?? 0,
    escalate: config.escalate ?? [],
    voter,
    seats: Array.from({ length: numVoters }, (_, i) => seats[i % seats.length]!),
    judges: [...new Set([judge, ...fallbacks, voter])],
    helper: config.model ?? models.helper ?? models.voter,
    second: fallbacks.find((model) => model !== voter),
  };
}

function autoK(
  voter: string,
  config: { target?: number; steps?: number },
  { record }: CouncilOptions,
): number {
  const known = record?.(voter);
  const p = known && known.total > 0 ? lowerBound(known.agreed, known.total) : ASSUMED_P;
  return Math.min(MAX_K, kMin({ p, target: config.target, steps: config.steps }));
}
