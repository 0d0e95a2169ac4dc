import type { Run } from "../run.ts";

/** Asks a model once whether two answers to a question mean the same; undefined where it gave no valid answer. */
export type AskOnce = (question: string, a: string, b: string) => Promise<boolean | undefined>;

interface KnownPair {
  readonly question: string;
  readonly a: string;
  readonly b: string;
}

/** With other pairs, verdicts on the old ones count no more. */
export const SELF_TEST_VERSION = 2;

const pair = (question: string, a: string, b: string): KnownPair => ({ question, a, b });

/** Where the pairs that differ are divided into the rounds of the test. The first is short: most weak models fail in it. */
const ROUNDS = [0, 1, 4, 8, 12, 16] as const;

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

/**
 * Whether a model's word on equivalence counts: it is asked about known pairs, in both orders, before it is asked about answers. One "yes"
 * to a pair that differs fails it: one such yes in a vote elects a minority. Pairs of both kinds come in turn, so that a model that always
 * says yes, or always no, fails after a few calls. One that gives no valid answer, or is stopped, has proved nothing (undefined).
 * `isLate`: whether the time for it is over.
 */
export async function passesSelfTest(
  ask: AskOnce,
  isLate: () => boolean = () => false,
): Promise<boolean | undefined> {
  let found = 0;
  let missed = 0;
  const rounds = SAME.map((same, i) => [same, DIFFERENT.slice(ROUNDS[i], ROUNDS[i + 1])] as const);
  for (const [same, different] of rounds) {
    if (isLate()) return undefined;
    const [first, ...others] = await askAll([same, ...different], ask);
    if (others.flat().includes(true)) return false;
    if (first!.includes(undefined) || others.flat().includes(undefined)) return undefined;
    if (first!.every(Boolean)) found++;
    else missed++;
    if (missed > SAME.length - MIN_SAME) return false;
  }
  return found >= MIN_SAME;
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
