import { council } from "./council.ts";
import { decompose } from "./decompose.ts";
import type { Strategy } from "./strategy.ts";
import { vote } from "./vote.ts";

/** Every way to answer. */
export const STRATEGIES = [council, vote, decompose] as const satisfies readonly Strategy[];

/** Answers where neither an intent nor a rule picks a strategy. */
export const DEFAULT_STRATEGY = council;

export type StrategyTool = (typeof STRATEGIES)[number]["tool"];
export const TOOLS = STRATEGIES.map(({ tool }) => tool);

type KeyOf<T> = T extends unknown ? keyof T : never;
export type Intent = KeyOf<(typeof STRATEGIES)[number]["intents"]>;
export const INTENTS = STRATEGIES.flatMap(({ intents }) => Object.keys(intents) as Intent[]);

/** The strategy that an intent selects. */
export const strategyFor = (intent: Intent): (typeof STRATEGIES)[number] =>
  STRATEGIES.find(({ intents }) => Object.hasOwn(intents, intent))!;
