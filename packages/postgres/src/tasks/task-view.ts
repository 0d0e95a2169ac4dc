import type { StepRecord, StepsTaskSpec, StepView, TaskView } from "@mci-ts/council";
import type { NumberedRecord } from "./chunks.ts";
import { type PlanProgress, withAnswers } from "./plan-progress.ts";
import type { Progress, TaskRow } from "./task-rows.ts";

/** One task, with all that its own screen needs. */
export function toTaskView(row: TaskRow): TaskView {
  const answer_schema = row.spec.kind === "steps" ? row.spec.step.answer : PLAN_ANSWER;
  return { ...toTaskSummary(row), answer_schema };
}

const PLAN_ANSWER = { type: "string", description: "The result of the step, as text." };

/** One of many tasks. */
export function toTaskSummary(row: TaskRow): TaskView {
  const { id, kind, name, status, progress, rate } = row;
  return {
    id,
    kind,
    name,
    status,
    step: row.step,
    ...(isPlan(progress)
      ? {
          steps: progress.plan?.total_steps ?? null,
          state: planState(withAnswers(progress, row.answers)),
          contested: 0,
        }
      : {
          steps: (row.spec as StepsTaskSpec).max_steps,
          state: progress.state,
          contested: progress.contested,
        }),
    ...(row.result === null ? {} : { result: row.result }),
    rate: Math.round(rate * 100) / 100,
    time_left_ms: timeLeft(row),
    usage: progress.spent,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.forked_from === null ? {} : { forked_from: { id: row.forked_from, step: row.fork_step! } }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

function timeLeft({ status, step, progress, rate, spec }: TaskRow): number | null {
  const steps =
    spec.kind === "steps" ? spec.max_steps : isPlan(progress) ? progress.plan?.total_steps : undefined;
  if (status !== "running" || rate <= 0 || steps === undefined) return null;
  return Math.round(((steps - step) / rate) * 1000);
}

export function toStepView({ step, record }: NumberedRecord): StepView {
  const { answer, votes, calls, usd = 0, flagged = 0, k, samples, by } = record;
  return {
    step,
    answer,
    votes: typeof votes === "number" ? unanimous(record, votes) : votes,
    calls,
    cost_usd: usd,
    red_flagged: flagged,
    ...(k === undefined ? {} : { k }),
    ...(samples === undefined ? {} : { samples }),
    ...(by === undefined ? {} : { by }),
  };
}

const unanimous = ({ answer }: StepRecord, votes: number): Record<string, number> =>
  votes === 0 ? {} : { [JSON.stringify(answer)]: votes };

export const isPlan = (progress: Progress): progress is PlanProgress => "plan" in progress;

/** The plan with what became of each step. */
function planState({ plan, results }: PlanProgress): unknown {
  return (
    plan && {
      task: plan.task,
      steps: plan.steps.map((step) => {
        const result = results[step.id];
        const why = result?.kind === "undecided" ? { reason: result.reason } : {};
        return { ...step, status: result?.kind ?? "open", ...why };
      }),
    }
  );
}

/** The solved steps of a plan, in the order of their numbers. */
export function planSteps({ results }: PlanProgress, from: number, limit: number): StepView[] {
  return Object.entries(results)
    .map(([id, result]) => ({ id: Number(id), result }))
    .filter(({ id }) => id >= from)
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id, result }) => (result.kind === "solved" ? [{ id, result }] : []))
    .slice(0, limit)
    .map(({ id, result: { result, calls, spent, by, order } }) => ({
      step: id,
      answer: result,
      votes: {},
      calls,
      cost_usd: spent.cost_usd,
      red_flagged: 0,
      ...(by === undefined ? {} : { by }),
      ...(order === undefined ? {} : { order }),
    }));
}
