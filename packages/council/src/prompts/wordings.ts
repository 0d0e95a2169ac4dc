import type { Variety } from "../request-config.ts";
import { REQUEST_HEADINGS } from "./messages.ts";

/**
 * One way to put a vote. Samples of one wording repeat each other's mistakes, so each sample gets its own: other words around the
 * request, rendered here without a call. The request, the material and the meaning stay as they are.
 */
export interface Wording {
  /** What to do, in one or two sentences. */
  readonly task: string;
  /** The line before the request. */
  readonly heading: string;
  /** Who answers; empty without roles. */
  readonly role: string;
  /** Which examples a small model is shown, by number. */
  readonly examples: number;
}

/** The first is the plain one: a vote that does not vary has it alone. */
const TASKS = [
  "Answer the request as correctly as you can.",
  "Give the correct answer to this.",
  "Think about what is asked, check it, and give the right answer.",
  "A reader relies on this. Say what is true.",
  "Solve this step by step in your mind and give the result.",
  "What is right here? Be exact.",
  "Read this twice. Then answer it truthfully.",
] as const;

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
