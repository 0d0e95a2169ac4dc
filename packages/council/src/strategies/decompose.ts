import type { z } from "zod";
import { CouncilError } from "../errors.ts";
import { noResultError } from "../no-result.ts";
import { decomposition } from "../prompts/answer-schemas.ts";
import { decomposePrompt } from "../prompts/prompts.ts";
import type { Decomposition } from "../result.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { SIMULATED_NOTE } from "../simulated/request.ts";
import { simulatedSteps } from "../simulated/steps.ts";
import type { Answer, Strategy } from "./strategy.ts";

/** Replies to collect before giving up on a well-formed one. */
const MAX_SAMPLES = 6;

export const decompose = {
  name: "decompose",
  tool: "decompose_task",
  label: "Decomposition",
  intents: { decomposition: "Decompose into steps" },
  description:
    "For tasks: splits one into the smallest steps that can be done and checked on their own, with their dependencies.",
  suits: "asks for a plan or for steps",
  input: { aliases: ["task", "query"], config: [] },
  ignores: [
    "k",
    "target",
    "steps",
    "num_voters",
    "judge_model",
    "peer_ranking",
    "max_samples",
    "hedge",
    "speculation",
    "escalate",
    "vary",
    "cheap_first",
    "allow_unknown",
  ],
  measuresAgreement: false,
  simulated: { decompose: ({ prompt }) => simulatedSteps(prompt, SIMULATED_NOTE) },
  run: decomposeTask,
} as const satisfies Strategy;

/** Splits a task into steps. A reply whose steps are inconsistent is discarded and sampled again, never repaired. */
async function decomposeTask(run: Run): Promise<Answer> {
  const { voter } = run.settings;
  const messages = decomposePrompt(run.question);
  const schema = wellFormed;
  const reasons: string[] = [];
  let flagged = 0;
  for (let attempt = 0; attempt < MAX_SAMPLES; attempt++) {
    const temperature = attempt === 0 ? 0 : 0.1 + 0.1 * attempt;
    const sampled = await sample(run, { purpose: "decompose", model: voter, messages, schema, temperature });
    if (sampled.kind === "sample") {
      const result = withoutNulls(sampled.value);
      run.emit({ type: "decomposition.accepted", call: sampled.call, total_steps: result.total_steps });
      return { tool: decompose.tool, result, answer: null, model: voter, status: "complete", warnings: [] };
    }
    if (sampled.kind === "stopped") break;
    reasons.push(sampled.reason);
    if (sampled.kind === "flagged") flagged++;
    else if (sampled.fatal) break;
  }
  if (flagged === 0 || run.budget.stopped !== undefined) throw noResultError(run, { flagged, reasons });
  const message = `No well-formed decomposition in ${reasons.length} samples: ${[...new Set(reasons)].slice(0, 3).join("; ")}`;
  throw new CouncilError("invalid_decomposition", message);
}

type Raw = z.infer<typeof decomposition>;

const wellFormed = decomposition.superRefine((value, context) => {
  const problem = problemOf(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** Ids 1..n in order, as many as announced, dependencies that exist and never lead back. */
export function problemOf({ total_steps, steps }: Raw): string | undefined {
  if (steps.length === 0) return "there are no steps";
  if (total_steps !== steps.length)
    return `total_steps is ${total_steps}, but there are ${steps.length} steps`;
  const misnumbered = steps.findIndex(({ id }, i) => id !== i + 1);
  if (misnumbered >= 0) return `step ${misnumbered + 1} has the id ${steps[misnumbered]!.id}`;
  for (const { id, dependencies } of steps) {
    const missing = dependencies.find((on) => steps[on - 1] === undefined);
    if (missing !== undefined) return `step ${id} depends on step ${missing}, which does not exist`;
  }
  const cycle = stepInCycle(steps);
  return cycle === undefined ? undefined : `step ${cycle} depends on itself, directly or through others`;
}

/** Removes steps whose dependencies are all gone; what cannot be removed is part of a cycle. */
function stepInCycle(steps: Raw["steps"]): number | undefined {
  const missing = new Map(steps.map(({ id, dependencies }) => [id, new Set(dependencies)]));
  const dependents = Map.groupBy(
    steps.flatMap(({ id, dependencies }) => dependencies.map((on) => ({ on, id }))),
    ({ on }) => on,
  );
  const free = steps.flatMap(({ id, dependencies }) => (dependencies.length === 0 ? id : []));
  for (let done = free.pop(); done !== undefined; done = free.pop()) {
    missing.delete(done);
    for (const { id } of dependents.get(done) ?? []) {
      const left = missing.get(id);
      if (left?.delete(done) && left.size === 0) free.push(id);
    }
  }
  return missing.keys().next().value;
}

/** Strict providers write null where there is nothing; the result leaves it out. */
function withoutNulls({ task, total_steps, steps }: Raw): Decomposition {
  return {
    task,
    total_steps,
    steps: steps.map(({ id, action, input, output, dependencies }) => ({
      id,
      action,
      ...(input ? { input } : {}),
      ...(output ? { output } : {}),
      dependencies,
    })),
  };
}
