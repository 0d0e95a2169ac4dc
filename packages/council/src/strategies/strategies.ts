import { council } from "./council.ts";
import { decompose } from "./decompose.ts";
import type { Strategy } from "./strategy.ts";
import { vote } from "./vote.ts";

/** Every way to answer. */
export const STRATEGIES = [council, vote, decompose] as const satisfies readonly Strategy[];

export type Tool = (typeof STRATEGIES)[number]["tool"];
export const TOOLS = STRATEGIES.map(({ tool }) => tool);

export type Intent = (typeof STRATEGIES)[number]["intents"][number];
export const INTENTS: readonly Intent[] = STRATEGIES.flatMap<Intent>(({ intents }) => intents);

/** The strategy that an intent selects. */
export const strategyFor = (intent: Intent): (typeof STRATEGIES)[number] =>
  STRATEGIES.find(({ intents }) => (intents as readonly Intent[]).includes(intent))!;
