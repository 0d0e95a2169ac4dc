import type {
  StepRecord,
  StepsProgress,
  StepsTaskSpec,
  StepView,
  TaskView,
  UndecidedStep,
} from "@mci-ts/council";
import type { PlanState } from "@mci-ts/council-server";
import type { PlanProgress } from "./plan/plan-progress.ts";
import {
  DEFAULT_DEADLINE_MS,
  type PlanRecord,
  RECORD_MS,
  type StoredStep,
  type TaskRow,
} from "./store/task-records.ts";

/** One task, with all that its own screen needs. */
export function toTaskView(row: TaskRow, progress: StepsProgress | PlanProgress): TaskView {
  const answer_schema = row.spec.kind === "steps" ? row.spec.step.answer : PLAN_ANSWER;
  const undecided = undecidedOf(row, progress);
  return {
    ...toTaskSummary(row, progress),
    answer_schema,
    ...(undecided.length === 0 ? {} : { undecided }),
  };
}

/** What a person needs to see. Tasks that earlier versions paused have a step without evidence. */
function undecidedOf(
  { status, error }: TaskRow,
  progress: StepsProgress | PlanProgress,
): readonly UndecidedStep[] {
  if ("results" in progress)
    return Object.entries(progress.results).flatMap(([step, result]) =>
      result.kind === "undecided" && result.evidence ? [{ step: Number(step), ...result.evidence }] : [],
    );
  return status === "paused" && error?.evidence ? [{ step: progress.step + 1, ...error.evidence }] : [];
}

const PLAN_ANSWER = { type: "string", description: "The result of the step, as text." };

/** One of many tasks. */
export function toTaskSummary(row: TaskRow, progress: StepsProgress | PlanProgress): TaskView {
  const { id, kind, name, status, spec, rate, instance, idle_ms: idleMs } = row;
  const isPlan = "results" in progress;
  const steps = isPlan ? (progress.plan?.total_steps ?? null) : (spec as StepsTaskSpec).max_steps;
  const perSecond = isPlan ? 0 : rate;
  return {
    id,
    kind,
    name,
    title: name ?? firstWords(spec.kind === "plan" ? spec.prompt : spec.step.prompt),
    status,
    step: progress.step,
    steps,
    state: isPlan ? planState(progress) : progress.state,
    contested: isPlan ? 0 : progress.contested,
    ...(row.result === null ? {} : { result: row.result }),
    rate: Math.round(perSecond * 100) / 100,
    time_left_ms:
      perSecond > 0 && steps !== null ? Math.round(((steps - progress.step) / perSecond) * 1000) : null,
    ...(status === "running" && instance !== null
      ? { instance, running_since: row.running_since?.toISOString() ?? null }
      : {}),
    ...(status === "running" && idleMs !== null && idleMs > stepLimitMs(row)
      ? { stalled_ms: Math.round(idleMs) }
      : {}),
    usage: progress.spent,
    ...errorOf(row),
    ...(status === "paused" && row.retry_at !== null
      ? { retry_at: row.retry_at.toISOString(), retries: row.retries }
      : {}),
    ...(row.forked_from === null ? {} : { forked_from: { id: row.forked_from, step: row.fork_step! } }),
    ...(row.schedule === null ? {} : { schedule: row.schedule }),
    ...(row.subject === null ? {} : { subject: row.subject }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** The beginning of a text, cut between words. */
function firstWords(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (line.length <= MAX_TITLE_CHARS) return line;
  return `${line.slice(0, MAX_TITLE_CHARS).replace(/ \S*$/, "")}…`;
}

const MAX_TITLE_CHARS = 60;

function stepLimitMs({ spec }: TaskRow): number {
  return (spec.config?.deadline_ms ?? DEFAULT_DEADLINE_MS) + RECORD_MS;
}

function errorOf({ status, error }: TaskRow): Pick<TaskView, "error"> {
  if (status === "failed")
    return {
      error: (error && { code: error.code, message: error.message }) ?? {
        code: "internal",
        message: "The workflow ended without a result; dbos workflow get shows why",
      },
    };
  if (status !== "paused" || error === null) return {};
  const { code, message } = error;
  return { error: { code, message } };
}

export function toStepView({ step, record }: StoredStep): StepView {
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

/** The plan with what became of each step. */
function planState({ plan, results }: PlanProgress): PlanState | null {
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
export function planSteps(records: readonly StoredStep<PlanRecord>[]): StepView[] {
  return records.flatMap(({ step, record }) => {
    if (!("kind" in record) || record.kind !== "solved") return [];
    const { result, calls, spent, by, order } = record;
    return {
      step,
      answer: result,
      votes: {},
      calls,
      cost_usd: spent.cost_usd,
      red_flagged: 0,
      ...(by === undefined ? {} : { by }),
      ...(order === undefined ? {} : { order }),
    };
  });
}
