import { type AnswerObject, compileAnswerSchema } from "../answer-schema/compile.ts";
import { CouncilError } from "../errors.ts";
import { noResultError, withCounts } from "../no-result.ts";
import type { CouncilOptions } from "../options.ts";
import { applyPreset } from "../presets.ts";
import type { Budget } from "../request-config.ts";
import { openRun, type Run } from "../run.ts";
import { stricterBudget } from "../sampling/budget.ts";
import { type LengthCap, lengthCap } from "../sampling/length-cap.ts";
import { runVote, type VoteOutcome } from "../voting/run-vote.ts";
import { type CheckTools, createAnswerCheck, holds } from "./answer-check.ts";
import type { TaskLanguage } from "./language.ts";
import {
  addRecord,
  type StepEnd,
  type StepOutcome,
  type StepRecord,
  type StepsProgress,
  startProgress,
  toEvidence,
} from "./step-record.ts";
import type { StepsTaskSpec } from "./task-spec.ts";
import { recordOf } from "./task-statistics.ts";
import { NO_USAGE, remainingBudget, type TaskUsage } from "./usage.ts";

/** A task of steps, compiled: everything about it that does not depend on where it runs or what is stored. */
export interface StepsTask {
  /** The budget of the whole task; the deadline is each step's own. */
  readonly limits: Budget;
  start(): StepsProgress;
  /** Votes on the next step. Rejects with `cancelled` when the signal of the options aborts. */
  solve(progress: StepsProgress, options: StepOptions): Promise<StepOutcome>;
  /** The progress after a decided step. */
  apply(progress: StepsProgress, record: StepRecord): StepsProgress;
  isDone(progress: StepsProgress): boolean;
  /** The record of a person's answer to the next step; throws `CouncilError` where it does not fit. */
  answerOf(progress: StepsProgress, answer: unknown): StepRecord;
}

export type StepOptions = Omit<CouncilOptions, "redFlag" | "assistedRouting"> & {
  /** For checks that name a tool. */
  readonly checkTools?: CheckTools;
};

/** Throws where the spec was not checked by `checkTask`. */
export function compileStepsTask(
  spec: StepsTaskSpec,
  language: TaskLanguage,
  presets?: CouncilOptions["presets"],
): StepsTask {
  const { config = {} } = applyPreset({ prompt: "", config: spec.config }, presets);
  const { max_calls, max_tokens, max_usd, deadline_ms, ...settings } = config;
  const limits = { max_calls, max_tokens, max_usd, deadline_ms };
  const schema = compileAnswerSchema(spec.step.answer);
  const prompt = language.template(spec.step.prompt);
  const until = language.jmespath(spec.until);
  const answerCheck = createAnswerCheck(spec, language);

  return {
    limits,
    start: () => startProgress(spec.state),
    async solve(progress, { checkTools, ...options }) {
      const budget = remainingBudget(limits, progress.spent);
      if ("exhausted" in budget)
        return paused("budget", `The task has spent its ${budget.exhausted}. Start it again with more.`);
      let text: string;
      try {
        text = prompt.render({ state: progress.state, step: progress.step + 1 });
      } catch (error) {
        return failed("invalid_prompt", `step.prompt: ${(error as Error).message}`);
      }
      const run = openRun(
        { prompt: text, config: { ...settings, steps: spec.max_steps } },
        {
          ...options,
          budget: stricterBudget(options.budget ?? {}, budget),
          record: (model) => recordOf(progress.learnt, options.record?.(model)),
        },
        { schema },
      );
      const { k, maxOutputTokens } = run.settings;
      if ((budget.max_calls ?? k) < k) {
        run.budget.close();
        return paused("budget", `A vote needs k = ${k} calls, but max_calls leaves ${budget.max_calls}.`);
      }
      const cap = withMeanLength(lengthCap(maxOutputTokens, progress.learnt.lengths));
      const check = answerCheck(progress, checkTools, run.budget.signal);
      try {
        const vote = await runVote(run, run.question, run.settings.voters, { lengthCap: cap, check });
        run.budget.close();
        await run.client.idle();
        return outcomeOf(run, vote, { length: cap.mean(), k: settings.k === "auto" ? k : undefined });
      } finally {
        run.budget.close();
      }
    },
    apply(progress, record) {
      return addRecord(progress, record, answerCheck.next(progress, record.answer));
    },
    isDone: ({ state, answer, step }) => holds(until({ state, answer, step })),
    answerOf(progress, answer) {
      const { success, error, data } = schema.zod.safeParse(answer, { jitless: true });
      if (!success) throw invalidAnswer(error.issues[0]?.message ?? "it is not valid");
      try {
        answerCheck.next(progress, data);
      } catch (cause) {
        throw invalidAnswer((cause as Error).message);
      }
      return { answer: data, votes: 0, calls: 0, tokens: [0, 0], length: 0, by: "person" };
    },
  };
}

/** The mean of this step's answers alone, which is what its record holds. */
function withMeanLength(cap: LengthCap): LengthCap & { mean(): number } {
  let count = 0;
  let sum = 0;
  return {
    ...cap,
    note(tokens) {
      count++;
      sum += tokens;
      cap.note(tokens);
    },
    mean: () => (count === 0 ? 0 : Math.round(sum / count)),
  };
}

function outcomeOf(
  run: Run,
  vote: VoteOutcome,
  { length, k }: { readonly length: number; readonly k: number | undefined },
): StepOutcome {
  const { calls, input_tokens, output_tokens, cost_usd } = run.budget.usage();
  const { votes, red_flagged: flagged } = vote.summary;
  if (vote.winner === null) return undecided(run, vote, { calls, input_tokens, output_tokens, cost_usd });
  const counts = Object.values(votes);
  const isContested = counts.length > 1 || flagged > 0;
  return {
    answer: vote.answer as AnswerObject,
    votes: counts.length === 1 ? counts[0]! : votes,
    calls,
    tokens: [input_tokens, output_tokens],
    ...(cost_usd === 0 ? {} : { usd: cost_usd }),
    length,
    ...(k === undefined ? {} : { k }),
    ...(flagged === 0 ? {} : { flagged }),
    ...(isContested ? { samples: run.transcript.print().slice(0, MAX_SAMPLE_CHARS) } : {}),
  };
}

/** Characters of the wording of one contested step. */
const MAX_SAMPLE_CHARS = 20_000;

function undecided(run: Run, { summary, reasons }: VoteOutcome, spent: TaskUsage): StepEnd {
  const { stopped } = run.budget;
  const evidence = toEvidence({
    prompt: run.question.prompt,
    k: run.settings.k,
    votes: summary.votes,
    samples: run.transcript.print(),
  });
  if (stopped === "cancelled") throw noResultError(run, { flagged: 0, reasons: [] });
  const why = reasons.length === 0 ? "" : ` ${withCounts(reasons)}.`;
  const votes = Object.entries(summary.votes)
    .map(([answer, count]) => `${count} for ${answer}`)
    .join(", ")
    .slice(0, 500);
  if (stopped !== undefined && stopped !== "deadline_ms")
    return {
      ...paused("budget", `${stopped} was reached before the step was decided. Votes: ${votes || "none"}.`),
      spent,
      evidence,
    };
  if (summary.undecided === "transport")
    return { ...paused("transport", `The model could not be reached.${why}`), spent };
  const reason = stopped ?? summary.undecided;
  return {
    ...paused("undecided", `The vote stayed undecided (${reason}). Votes: ${votes || "none"}.${why}`),
    spent,
    evidence,
  };
}

const paused = (reason: "budget" | "undecided" | "transport", message: string): StepEnd => ({
  end: "paused",
  reason,
  message,
  spent: NO_USAGE,
});

const failed = (reason: "invalid_prompt", message: string): StepEnd => ({
  end: "failed",
  reason,
  message,
  spent: NO_USAGE,
});

function invalidAnswer(reason: string): CouncilError {
  const message = `answer must fit step.answer and step.next, but ${reason}`;
  return new CouncilError("invalid_request", message, { problems: [{ path: "answer", message }] });
}
