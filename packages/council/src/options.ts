import { z } from "zod";
import { type ActConfig, actConfigSchema } from "./actions/act-config.ts";
import type { Clock } from "./clock.ts";
import type { EventSink } from "./events.ts";
import type { Model, ModelCall, ModelReply, ModelUsage, Tools } from "./model.ts";
import type { Preset } from "./presets.ts";
import { checkArgument } from "./problems.ts";
import { PROMPT_SETS, type PromptSet } from "./prompts/prompt-set.ts";
import { type Budget, budgetSchema, requestConfigSchema } from "./request-config.ts";
import type { Speeds } from "./sampling/speeds.ts";
import type { Calibration } from "./voting/calibration.ts";

/** The dependencies and settings of a run. Only `model` and `models` are required. */
export interface CouncilOptions {
  readonly model: Model;
  readonly models: ModelNames;
  /** Aborts every call at once; the run then fails with `cancelled`. Default: never. */
  readonly signal?: AbortSignal;
  /** Called with every event. Default: none. */
  readonly onEvent?: EventSink;
  /** Called with each model call that is over, with its whole prompt and reply. What it throws is ignored. Default: none. */
  readonly onCall?: (call: ModelCall) => void;
  /** Default: real time. */
  readonly clock?: Clock;
  /** Numbers in [0, 1) for shuffling, jitter and fences. Default: from the system's secure source. */
  readonly random?: () => number;
  /** Limits that a request can only tighten. Default: none. */
  readonly budget?: Budget;
  readonly defaults?: Defaults;
  readonly retry?: Partial<RetryRules>;
  /** Cost of a call in US dollars, used where the provider names none. Default: unknown. */
  readonly price?: (model: string, usage: ModelUsage) => number | undefined;
  /** How often a model's votes agreed with the winner, for `k: "auto"`. Default: no record. */
  readonly record?: (model: string) => { readonly agreed: number; readonly total: number } | undefined;
  /** Outcomes that were measured, for a confidence and for `k: "auto"`. Default: none, and votes only say how far they agree. */
  readonly calibration?: Calibration;
  /** Answers to "do these two mean the same?", cached by the caller between runs. Default: cached for one run. */
  readonly equivalences?: EquivalenceCache;
  /** Which models passed the self-test for that question, cached by the caller between runs. Default: tested in each run. */
  readonly selfTests?: EquivalenceCache;
  /** How fast models write, measured in earlier runs: keeps replies within the deadline. Default: measured in this run. */
  readonly speeds?: Speeds;
  /** A rule of the caller's own: a reason to discard this answer, or undefined. Default: none. */
  readonly redFlag?: (reply: ModelReply) => string | undefined;
  /** What seats and voters may call. Default: nothing. */
  readonly tools?: Tools;
  /** Added to the built-in presets that `config.preset` may name. Default: none. */
  readonly presets?: Readonly<Record<string, Preset>>;
  /** Ask a model which tool fits when no intent is given. Default false: rules only. */
  readonly assistedRouting?: boolean;
}

export interface ModelNames {
  /** Votes and decompositions. */
  readonly voter: string;
  /** The seats of a council, used in turn. Default: the voter for all. */
  readonly seats?: readonly [string, ...string[]];
  /** Writes the council's verdict. Default: the voter. */
  readonly judge?: string;
  /** Small questions: do two answers mean the same, reword this, which tool. Default: the voter. */
  readonly helper?: string;
  /** Tried in this order when the judge fails; the first also serves `second_model`. Default: none. */
  readonly fallbacks?: readonly string[];
}

/** Used where a request says nothing. */
export interface Defaults {
  /** Default 3. */
  readonly k?: number | "auto";
  /** Default 3. */
  readonly numVoters?: number;
  /** Replies one vote may collect. Default 8 k + 8. */
  readonly maxSamples?: number;
  /** Tokens one reply may have, reasoning included. Default 8192; raised up to four times where reasoning uses it up. */
  readonly maxOutputTokens?: number;
  /** How prompts are put. Default: by each model's size, as far as its name or its context window tells. */
  readonly prompts?: PromptSet;
  /** How actions of agents are decided. Default: as `config.act` says. */
  readonly act?: ActConfig;
}

/** Transport errors only. */
export interface RetryRules {
  /** Attempts per call, the first included. Default 4. */
  readonly attempts: number;
  /** Failed attempts in a row, with no answer between, before the whole run gives up. Default 20. */
  readonly total: number;
  /** First delay; doubles each time, with jitter. Default 500. */
  readonly baseMs: number;
  /** Longest delay; a longer Retry-After makes the call fail at once. Default 30000. */
  readonly maxMs: number;
}

export interface EquivalenceCache {
  get(key: string): boolean | undefined;
  set(key: string, same: boolean): void;
}

/** Unknown options are refused too: a misspelt budget must not be no budget. */
export function checkOptions(options: CouncilOptions): void {
  checkArgument("options", options, councilOptions);
}

const call = z.custom((value) => typeof value === "function", "must be a function");
const name = z.string().min(1);
const atLeastOne = z.int().min(1);
const milliseconds = z.number().min(0);

const councilOptions = z.strictObject({
  model: z.looseObject({ complete: call }),
  models: z.strictObject({
    voter: name,
    seats: z.array(name).min(1).optional(),
    judge: name.optional(),
    helper: name.optional(),
    fallbacks: z.array(name).optional(),
  }),
  signal: z.custom((value) => value instanceof AbortSignal, "must be an AbortSignal").optional(),
  onEvent: call.optional(),
  onCall: call.optional(),
  clock: z.looseObject({ now: call, elapsed: call, sleep: call }).optional(),
  random: call.optional(),
  budget: budgetSchema.optional(),
  defaults: z
    .strictObject({
      k: z.union([z.int().min(1).max(25), z.literal("auto")]).optional(),
      numVoters: z.int().min(1).max(25).optional(),
      maxSamples: atLeastOne.optional(),
      maxOutputTokens: atLeastOne.optional(),
      prompts: z.enum(PROMPT_SETS).optional(),
      act: actConfigSchema.optional(),
    })
    .optional(),
  retry: z
    .strictObject({ attempts: atLeastOne, total: atLeastOne, baseMs: milliseconds, maxMs: milliseconds })
    .partial()
    .optional(),
  price: call.optional(),
  record: call.optional(),
  calibration: z.looseObject({ measured: call, count: call, add: call }).optional(),
  equivalences: z.looseObject({ get: call, set: call }).optional(),
  selfTests: z.looseObject({ get: call, set: call }).optional(),
  speeds: z.looseObject({ note: call, tokensWithin: call }).optional(),
  redFlag: call.optional(),
  tools: z.looseObject({ definitions: z.array(z.unknown()), call }).optional(),
  presets: z.record(z.string(), requestConfigSchema.omit({ preset: true })).optional(),
  assistedRouting: z.boolean().optional(),
}) satisfies z.ZodType<{ [Name in keyof CouncilOptions]: unknown }>;
