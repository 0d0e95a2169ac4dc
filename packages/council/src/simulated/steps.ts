import type { Decomposition } from "../result.ts";

/** Steps that fit any task of its kind, named after the task. The last step says that it is simulated. */
export function simulatedSteps(prompt: string, note: string): Decomposition {
  const task = taskOf(prompt);
  const kind = KINDS.find(({ verbs }) => verbs.test(task)) ?? KINDS.at(-1)!;
  const object =
    task
      .replace(kind.verbs, "")
      .replace(/^an?\s+/i, "the ")
      .trim() || task;
  const actions = kind.actions.map((action) => action.replaceAll("%", object));
  const steps = actions.map((action, i) => ({ id: i + 1, action, dependencies: i === 0 ? [] : [i] }));
  const last = {
    id: steps.length + 1,
    action: `Replace these generic steps by real ones. ${note}`,
    dependencies: [],
  };
  return { task, total_steps: steps.length + 1, steps: [...steps, last] };
}

/** What stands in quotes, or after a colon, or all of it. */
function taskOf(prompt: string): string {
  const text = prompt.replace(/\s+/g, " ").trim();
  const quoted = /(?<!\p{L})['"“‘]([^'"“”‘’]{3,200})['"”’](?!\p{L})/u.exec(text)?.[1];
  const afterColon = /^[^:]{0,80}:\s*(\S.*)$/.exec(text)?.[1];
  return (
    quoted ??
    afterColon ??
    text.replace(/^(?:please\s+)?(?:decompose|break down|plan|create a plan (?:for|to))\s+(?=\S)/i, "")
  ).slice(0, 200);
}

const KINDS: readonly { readonly verbs: RegExp; readonly actions: readonly string[] }[] = [
  {
    verbs: /^(?:create|build|implement|develop|make|write|add|design|set up)\s+(?=\S)/i,
    actions: [
      "Write down what % must do, and how each point is checked",
      "Decide the parts of % and what passes between them",
      "Build the smallest version of % that works from end to end",
      "Add what is missing, one checked point at a time",
      "Handle wrong input and failures of %",
      "Test % against the list of the first step and release it",
    ],
  },
  {
    verbs: /^(?:migrate|move|replace|upgrade|port|convert)\s+(?=\S)/i,
    actions: [
      "List everything that uses %",
      "Decide how to go back if moving % fails",
      "Try the move of % on a copy",
      "Move % in small parts, checking each",
      "Remove what the move of % left behind",
    ],
  },
  {
    verbs: /^(?:fix|debug|repair|resolve)\s+(?=\S)/i,
    actions: [
      "Reproduce %",
      "Find the cause of %",
      "Write a test that fails because of %",
      "Remove the cause",
      "Check that nothing else changed",
    ],
  },
  {
    verbs: /^(?=)/,
    actions: [
      "State the goal of: %",
      "List what is known and what is missing",
      "Order the parts by what they depend on",
      "Do each part and check it",
      "Check the whole against the goal",
    ],
  },
];
