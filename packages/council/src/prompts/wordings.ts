import type { Variety } from "../request-config.ts";
import { REQUEST_HEADINGS } from "./messages.ts";
import type { PromptSet } from "./prompt-set.ts";

/**
 * One way to put a vote. Samples of one wording repeat each other's mistakes, so each sample gets its own: other words around the
 * request, rendered here without a call. The request, the material and the meaning stay as they are.
 */
export interface Wording {
  /** What to do, in one or two sentences. */
  readonly task: Readonly<Record<PromptSet, string>>;
  /** The line before the request. */
  readonly heading: string;
  /** Who answers; empty without roles. */
  readonly role: string;
  /** Which examples a small model is shown, by number. */
  readonly examples: number;
}

/** The first is the plain one: a vote that does not vary has it alone. A small model is told how to answer in words, and nothing else. */
const TASKS: readonly Wording["task"][] = [
  {
    full: "Answer the request as correctly as you can.",
    compact: "Answer in a sentence, then in a few words.",
  },
  {
    full: "Give the correct answer to this.",
    compact: "Answer correctly, first in one sentence, then in a few words.",
  },
  {
    full: "Think about what is asked, check it, and give the right answer.",
    compact: "Say what is true in one sentence, then give the answer alone.",
  },
  {
    full: "A reader relies on this. Say what is true.",
    compact: "Work it out in one sentence, then give the result alone.",
  },
  {
    full: "Solve this step by step in your mind and give the result.",
    compact: "Reply with one sentence, and then with the short answer.",
  },
  { full: "What is right here? Be exact.", compact: "Be exact: one sentence, then the answer alone." },
  {
    full: "Read this twice. Then answer it truthfully.",
    compact: "Check it in one sentence, then answer briefly.",
  },
];

const ROLES = [
  "You know the subject well.",
  "You are a teacher who corrects tests.",
  "You are a careful fact checker.",
  "You look for the mistake that others make here.",
  "You are a patient scientist.",
] as const;

/** The wording of sample number `index`, from 0. Seven tasks and six headings: all pairs come before one comes again. */
export function wordingOf(index: number, vary: ReadonlySet<Variety>): Wording {
  const varies = vary.has("wording");
  return {
    task: TASKS[varies ? index % TASKS.length : 0]!,
    heading: REQUEST_HEADINGS[varies ? index % REQUEST_HEADINGS.length : 0]!,
    role: vary.has("role") ? ROLES[index % ROLES.length]! : "",
    examples: varies ? index : 0,
  };
}

/** Samples that all have different wordings. */
export const DISTINCT_WORDINGS = TASKS.length * REQUEST_HEADINGS.length;
