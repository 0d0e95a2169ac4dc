import type { Run } from "../run.ts";

/** Asks a model once whether two answers to a question mean the same; undefined where it gave no valid answer. */
export type AskOnce = (question: string, a: string, b: string) => Promise<boolean | undefined>;

interface KnownPair {
  readonly question: string;
  readonly a: string;
  readonly b: string;
}

/** With other pairs, verdicts on the old ones count no more. */
export const SELF_TEST_VERSION = 1;

const pair = (question: string, a: string, b: string): KnownPair => ({ question, a, b });

/** Clear to everyone who understands the question; none is left to the canonical form. */
const SAME: readonly KnownPair[] = [
  pair("Who wrote Hamlet?", "Shakespeare", "William Shakespeare, the English playwright"),
  pair(
    "Why is the sky blue?",
    "air scatters blue light most",
    "because blue light is scattered more than other light by the air",
  ),
  pair("How do plants make food?", "by photosynthesis", "they photosynthesise"),
  pair("What should we do first?", "make a backup of the data", "back the data up"),
  pair("When did the war end?", "at the end of the summer", "when summer was over"),
];

const DIFFERENT: readonly KnownPair[] = [
  pair("What is the capital of Australia?", "Canberra", "Sydney"),
  pair("Who wrote Hamlet?", "William Shakespeare", "Christopher Marlowe"),
  pair("Which metal is liquid at room temperature?", "mercury", "gallium"),
  pair("What is the largest planet?", "Jupiter", "Saturn"),
  pair("Is the service up?", "it is running", "it has stopped"),
  pair("Which way does the Nile flow?", "from south to north", "from north to south"),
  pair("What does the function return?", "the index of the item", "the item at the index"),
  pair("When is the report due?", "before the meeting", "after the meeting"),
  pair("Which database should we use?", "PostgreSQL", "MySQL"),
  pair("Who may delete a user?", "only administrators", "administrators and editors"),
  pair("What color are emeralds?", "green", "blue"),
  pair("What is the opposite of hot?", "cold", "warm"),
  pair("Who pays for the flight?", "the customer", "the airline"),
  pair("What is the chemical symbol of sodium?", "Na", "K"),
  pair("How does the price change?", "it rises slightly", "it falls slightly"),
  pair("Which animal is a mammal?", "a dolphin", "a shark"),
];

/** So many same pairs must be found the same, or asking is not worth the calls. */
const MIN_SAME = 3;
const BATCH = 4;

/**
 * Whether a model's word on equivalence counts: it is asked about known pairs, in both orders, before it is asked about answers. One "yes"
 * to a pair that differs fails it: one such yes in a vote elects a minority. A model that fails is asked no further; one that gives no
 * valid answer, or is stopped, has proved nothing (undefined).
 */
export async function passesSelfTest(ask: AskOnce): Promise<boolean | undefined> {
  const same = await askAll(SAME, ask);
  if (same.some((verdicts) => verdicts.includes(undefined))) return undefined;
  if (same.filter((verdicts) => verdicts.every(Boolean)).length < MIN_SAME) return false;
  for (let start = 0; start < DIFFERENT.length; start += BATCH) {
    const verdicts = (await askAll(DIFFERENT.slice(start, start + BATCH), ask)).flat();
    if (verdicts.includes(true)) return false;
    if (verdicts.includes(undefined)) return undefined;
  }
  return true;
}

const askAll = (pairs: readonly KnownPair[], ask: AskOnce) =>
  Promise.all(pairs.map(({ question, a, b }) => Promise.all([ask(question, a, b), ask(question, b, a)])));

/** The most calls that a test takes. */
export const SELF_TEST_CALLS = 2 * (SAME.length + DIFFERENT.length);

/** Whether the run can afford a test besides what it was started for. */
export function canAffordSelfTest({ limits, budget }: Run): boolean {
  const { max_calls } = limits;
  return max_calls === undefined || max_calls - budget.usage().calls >= 2 * SELF_TEST_CALLS;
}
