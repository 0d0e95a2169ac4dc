import type { Decomposition, Step } from "../result.ts";
import type { StepEvidence } from "./step-record.ts";
import type { TaskUsage } from "./usage.ts";

/** How one step of a plan ended. */
export type PlanStepResult =
  | {
      readonly kind: "solved";
      /** The full text. */
      readonly result: string;
      readonly calls: number;
      /** The strategy that answered. */
      readonly tool: string;
      readonly spent: TaskUsage;
      readonly by?: "person";
      /** Counts the results of a plan as they came. */
      readonly order?: number;
    }
  /** No other step can use it until it is answered or retried. */
  | {
      readonly kind: "undecided";
      readonly reason: string;
      /** The model could not be reached. */
      readonly code?: "transport";
      readonly spent: TaskUsage;
      /** Where models replied. */
      readonly evidence?: StepEvidence;
      readonly order?: number;
    };

/** Results by the id of their step. Plain JSON. */
export type PlanResults = Readonly<Record<string, PlanStepResult>>;

/** Steps that can be worked on now: not done, with all dependencies solved. */
export function readySteps({ steps }: Decomposition, results: PlanResults): readonly Step[] {
  return steps.filter(
    ({ id, dependencies }) => results[id] === undefined && dependencies.every((on) => isSolved(results, on)),
  );
}

/** Steps that wait, directly or through others, for one that is undecided. */
export function blockedSteps({ steps }: Decomposition, results: PlanResults): readonly Step[] {
  const stuck = new Set(steps.filter(({ id }) => results[id]?.kind === "undecided").map(({ id }) => id));
  const blocked = new Set<number>();
  // Dependencies may point forward, so it goes on until nothing is added.
  for (let before = -1; before !== blocked.size; ) {
    before = blocked.size;
    for (const { id, dependencies } of steps)
      if (dependencies.some((on) => stuck.has(on) || blocked.has(on))) blocked.add(id);
  }
  return steps.filter(({ id }) => blocked.has(id));
}

/** Steps in an order in which every dependency comes before those that need it. The decomposition has no cycles. */
export function inOrder({ steps }: Decomposition): readonly Step[] {
  const done = new Set<number>();
  const ordered: Step[] = [];
  while (ordered.length < steps.length) {
    const free = steps.filter(
      ({ id, dependencies }) => !done.has(id) && dependencies.every((on) => done.has(on)),
    );
    if (free.length === 0) throw new Error("the steps depend on each other in a circle");
    for (const step of free) {
      done.add(step.id);
      ordered.push(step);
    }
  }
  return ordered;
}

export const isSolved = (results: PlanResults, id: number): boolean => results[id]?.kind === "solved";

export const undecidedSteps = (results: PlanResults): readonly number[] =>
  Object.entries(results).flatMap(([id, { kind }]) => (kind === "undecided" ? [Number(id)] : []));

/** The place of the next result: none comes twice, also where one replaces another. */
export const nextOrder = (results: PlanResults): number =>
  1 + Object.values(results).reduce((most, { order = 0 }) => Math.max(most, order), 0);

/** What a later step gets of a long result: its beginning and its end. The record has the full text. */
export function shorten(text: string, maxChars = MAX_PASSED_CHARS): string {
  if (text.length <= maxChars) return text;
  const head = Math.ceil(maxChars * 0.7);
  const tail = maxChars - head;
  const left = text.length - head - tail;
  return `${text.slice(0, head)}\n[… ${left} characters left out …]\n${text.slice(text.length - tail)}`;
}

const MAX_PASSED_CHARS = 6000;
