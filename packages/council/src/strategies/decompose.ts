import type { z } from "zod";
import { CouncilError } from "../errors.ts";
import { nothingToShow } from "../no-result.ts";
import { decomposition } from "../prompts/answer-schemas.ts";
import { decomposePrompt } from "../prompts/prompts.ts";
import type { Decomposition } from "../result.ts";
import type { Run } from "../run.ts";
import { draw } from "../sampling/sample.ts";
import type { Answer } from "./strategy.ts";

/** Samples drawn before giving up on a well-formed one. */
const MOST_SAMPLES = 6;

/** Splits a task into steps. A sample whose steps do not add up is drawn again, never mended. */
export async function decomposeTask(run: Run): Promise<Answer> {
  const { voter } = run.settings;
  const messages = decomposePrompt(run.question);
  const schema = wellFormed;
  const reasons: string[] = [];
  let flagged = 0;
  for (let attempt = 0; attempt < MOST_SAMPLES; attempt++) {
    const temperature = attempt === 0 ? 0 : 0.1 + 0.1 * attempt;
    const drawn = await draw(run, { purpose: "decompose", model: voter, messages, schema, temperature });
    if (drawn.kind === "sample") {
      const result = withoutNulls(drawn.value);
      run.emit({ type: "decomposition.accepted", call: drawn.call, total_steps: result.total_steps });
      return { tool: "decompose_task", result, model: voter, status: "complete", warnings: [] };
    }
    if (drawn.kind === "stopped") break;
    reasons.push(drawn.reason);
    if (drawn.kind === "flagged") flagged++;
    else if (drawn.fatal) break;
  }
  if (flagged === 0 || run.spending.stopped !== undefined) throw nothingToShow(run, { flagged, reasons });
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
  const circle = stepInCircle(steps);
  return circle === undefined ? undefined : `step ${circle} depends on itself, directly or through others`;
}

/** Takes away steps whose dependencies are all gone; what cannot be taken stands in a circle. */
function stepInCircle(steps: Raw["steps"]): number | undefined {
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
