import { DBOS } from "@dbos-inc/dbos-sdk";
import type {
  StepEnd,
  StepOutcome,
  StepRecord,
  StepsEngine,
  StepsProgress,
  StepsTaskSpec,
  TaskMetrics,
} from "@mci-ts/council";
import type { WhileAlive } from "../instances/fencing.ts";
import { addChunk, CHUNK_STEPS } from "./chunks.ts";
import type { LiveTask, LiveTasks } from "./live-tasks.ts";
import { beginSegment, endSegment, type SegmentEnd } from "./task-rows.ts";

/** What the workflows of this process need. */
export interface WorkflowDependencies {
  /** Waits for a database that is down, and writes what only a living instance may: one that was declared dead finds its work in other hands. */
  readonly whileAlive: WhileAlive;
  readonly live: LiveTasks;
  readonly metrics: TaskMetrics;
  readonly executorId: string;
  /** The task compiled; each is compiled once per process. */
  readonly steps: (id: string) => Promise<{ readonly spec: StepsTaskSpec; readonly engine: StepsEngine }>;
  /** Does nothing, and never resolves, once the process stops: another instance goes on. */
  readonly unlessStopping: <T>(vote: () => Promise<T>) => Promise<T>;
}

export interface SegmentInput {
  readonly id: string;
  readonly segment: number;
  readonly progress: StepsProgress;
  /** A person's answer to the first step. */
  readonly given?: StepRecord;
}

interface ChunkInput extends SegmentInput {
  /** Who started it: another executor has taken it over. */
  readonly executor: string;
}

interface ChunkResult {
  readonly progress: StepsProgress;
  readonly end?: Omit<SegmentEnd, "progress">;
}

/**
 * segment: chunk* ; chunk: (vote -record-> progress)*
 *
 * A decided step is the recorded output of a DBOS step, written once and before the next begins. All else is computed from these
 * records, so that a replay arrives at the same progress.
 */
export function registerStepsWorkflow(deps: WorkflowDependencies) {
  const chunk = DBOS.registerWorkflow((input: ChunkInput) => runChunk(input, deps), { name: "steps_chunk" });
  return DBOS.registerWorkflow((input: SegmentInput) => runSegment(input, chunk, deps), {
    name: "steps_task",
  });
}

async function runSegment(
  { id, segment, progress, given }: SegmentInput,
  chunk: (input: ChunkInput) => Promise<ChunkResult>,
  { whileAlive, live, executorId }: WorkflowDependencies,
): Promise<void> {
  const begun = await DBOS.runStep(() => whileAlive((db) => beginSegment(db, id, segment)), {
    name: "begin",
  });
  if (begun === null) return;
  const entry = live.enter(id, segment);
  if (begun.control !== null) live.control(id, begun.control);
  try {
    await runChunks();
  } finally {
    live.leave(entry);
  }

  async function runChunks(): Promise<void> {
    let at = progress;
    for (let number = 0; ; number++) {
      const workflowID = `${DBOS.workflowID}-${number}`;
      const before = at;
      await DBOS.runStep(() => whileAlive((db) => addChunk(db, id, workflowID, before)), {
        name: "chunk",
      });
      const handle = await DBOS.startWorkflow(chunk, { workflowID })({
        id,
        segment,
        progress: at,
        executor: executorId,
        ...(number === 0 && given ? { given } : {}),
      });
      const { progress: after, end } = await handle.getResult({ pollingIntervalMs: 100 });
      at = after;
      if (end === undefined) continue;
      await DBOS.runStep(() => whileAlive((db) => endSegment(db, id, segment, { ...end, progress: after })), {
        name: "end",
      });
      return;
    }
  }
}

async function runChunk(input: ChunkInput, deps: WorkflowDependencies): Promise<ChunkResult> {
  const live = deps.live.enter(input.id, input.segment);
  try {
    return await decideSteps(input, live, deps);
  } finally {
    deps.live.leave(live);
  }
}

async function decideSteps(
  input: ChunkInput,
  live: LiveTask,
  deps: WorkflowDependencies,
): Promise<ChunkResult> {
  const { id, executor, given } = input;
  const { spec, engine } = await deps.steps(id);
  // Of a chunk that was taken over, the first step that is not recorded may have been voted on before.
  let interrupted = executor !== deps.executorId;
  let progress = input.progress;
  live.report(progress);
  for (let i = 0; i < CHUNK_STEPS; i++) {
    const end = endOf(progress, spec, engine);
    if (end) return { progress, end };
    const before = progress;
    const outcome = await DBOS.runStep(
      () => {
        const recovered = interrupted;
        interrupted = false;
        if (recovered) deps.metrics.onRecovered();
        if (i === 0 && given) return Promise.resolve(given);
        return solve(before, recovered);
      },
      { name: "step" },
    );
    if ("end" in outcome) return { progress: chargedFor(progress, outcome), end: toSegmentEnd(outcome) };
    progress = engine.apply(progress, outcome);
    live.report(progress);
  }
  return { progress };

  async function solve(at: StepsProgress, recovered: boolean): Promise<StepOutcome> {
    if (live.pauseWanted) return PAUSED;
    const outcome = await deps.unlessStopping(() => engine.solve(at, live.signal).catch(toStepEnd(live)));
    deps.metrics.onStep(!("end" in outcome));
    // What the interrupted vote spent is not known; a step's mean is the best estimate.
    const lost = recovered && at.step > 0 ? Math.round(at.spent.calls / at.step) : 0;
    return lost > 0 ? { ...outcome, lost } : outcome;
  }
}

const PAUSED: StepEnd = {
  end: "paused",
  reason: "requested",
  message: "Paused on request.",
  spent: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
};

/** A defect ends the task rather than its workflow, so that it can be seen. */
export const toStepEnd =
  ({ signal }: LiveTask) =>
  (error: unknown): StepEnd => {
    if (signal.aborted) throw error;
    const message = `The step failed unexpectedly: ${error instanceof Error ? error.message : error}`;
    return { ...PAUSED, end: "failed", reason: "internal", message };
  };

function endOf(
  progress: StepsProgress,
  spec: StepsTaskSpec,
  engine: StepsEngine,
): ChunkResult["end"] | undefined {
  try {
    if (engine.isDone(progress)) return { status: "complete", result: progress.state };
  } catch (error) {
    return failed("invalid_until", `until cannot be applied: ${(error as Error).message}`);
  }
  if (progress.step < spec.max_steps) return undefined;
  return failed(
    "max_steps",
    `max_steps (${spec.max_steps}) is reached, and until is not true. Check until, or start the task with more steps.`,
  );
}

const failed = (code: string, message: string) => ({ status: "failed" as const, error: { code, message } });

function toSegmentEnd({ end, reason, message }: StepEnd): NonNullable<ChunkResult["end"]> {
  return { status: end, error: { code: reason, message } };
}

/** What an undecided step cost counts too. */
function chargedFor(progress: StepsProgress, { spent, lost = 0 }: StepEnd): StepsProgress {
  const before = progress.spent;
  return {
    ...progress,
    spent: {
      calls: before.calls + spent.calls + lost,
      input_tokens: before.input_tokens + spent.input_tokens,
      output_tokens: before.output_tokens + spent.output_tokens,
      cost_usd: before.cost_usd === null || spent.cost_usd === null ? null : before.cost_usd + spent.cost_usd,
    },
  };
}
