import { canonical } from "../canonical/canonical.ts";
import { runCouncil } from "../council.ts";
import { CouncilError } from "../errors.ts";
import type { CouncilOptions } from "../options.ts";
import { applyPreset } from "../presets.ts";
import type { CouncilRequest } from "../request.ts";
import type { CouncilResult, Decomposition, Step } from "../result.ts";
import { route } from "../routing/router.ts";
import { stricterBudget } from "../sampling/budget.ts";
import { decompose } from "../strategies/decompose.ts";
import { vote } from "../strategies/vote.ts";
import type { PlanEngine } from "./engine-port.ts";
import { type PlanResults, shorten } from "./plan.ts";
import { splitBudget } from "./plan-budget.ts";
import { type StepEnd, toEvidence } from "./step-record.ts";
import type { PlanTaskSpec } from "./task-spec.ts";
import { addUsage, NO_USAGE, remainingBudget, type TaskUsage } from "./usage.ts";

/** A plan, compiled: what is asked for each of its parts. */
export type PlanTask = PlanEngine<CouncilOptions>;

/** Decompositions that are voted on. */
const CANDIDATES = 3;

export function compilePlanTask(spec: PlanTaskSpec, presets?: CouncilOptions["presets"]): PlanTask {
  const { prompt, context = {} } = spec;
  const { config = {} } = applyPreset({ prompt, config: spec.config }, presets);
  const { max_calls, max_tokens, max_usd, deadline_ms, ...settings } = config;
  const limits = { max_calls, max_tokens, max_usd, deadline_ms };

  return {
    limits,
    async decompose(spent, options) {
      const left = remainingBudget(limits, spent);
      if ("exhausted" in left) return endOf(exhausted(left));
      const count = Math.min(CANDIDATES, left.max_calls ?? CANDIDATES);
      const part = splitBudget(left, count);
      const samples = await Promise.all(
        Array.from({ length: count }, () =>
          ask({ prompt, context, intent: "decomposition", config: settings }, part, options),
        ),
      );
      const used = samples.reduce((sum, one) => addUsage(sum, one.spent), NO_USAGE);
      const plans = distinct(
        samples.flatMap((one) => ("answer" in one ? [one.answer.result as Decomposition] : [])),
      );
      const [first, ...others] = plans;
      if (first === undefined) return { ...endOf(samples[0] as FailedRequest), spent: used };
      if (others.length === 0) return { plan: first, spent: used };
      const chosen = await choose(plans, addUsage(spent, used), options);
      return { plan: chosen.plan, spent: addUsage(used, chosen.spent) };
    },
    async solve({ plan, step, results, budget }, options) {
      const request = {
        prompt: stepPrompt(prompt, plan, step),
        context: { ...context, ...passedOn(step.dependencies, plan, results) },
        config: settings,
      };
      // A step that reads like a plan is to be done, not planned again.
      const intent = route(request).tool === decompose.tool ? ({ intent: "decision" } as const) : {};
      const outcome = await ask({ ...request, ...intent }, budget, options);
      if (!("answer" in outcome))
        return {
          ...{ kind: "undecided", reason: outcome.message, spent: outcome.spent },
          ...(endOf(outcome).reason === "transport" ? UNREACHABLE : {}),
        };
      const { result, metadata } = outcome.answer;
      const isVote = metadata.tool_used === vote.tool;
      if (isVote ? metadata.answer === null : metadata.status === "degraded")
        return {
          kind: "undecided",
          reason: metadata.warnings.join(" ") || "no decision",
          spent: outcome.spent,
          evidence: toEvidence({
            prompt: request.prompt,
            k: metadata.voting?.k ?? null,
            votes: metadata.voting?.votes ?? {},
            samples: metadata.raw_output,
          }),
          ...(metadata.voting?.undecided === "transport" ? UNREACHABLE : {}),
        };
      const text = isVote && typeof metadata.answer === "string" ? metadata.answer : (result as string);
      return {
        kind: "solved",
        result: text,
        calls: outcome.spent.calls,
        tool: metadata.tool_used,
        spent: outcome.spent,
      };
    },
    async synthesise(plan, results, spent, options) {
      const ids = plan.steps.map(({ id }) => id);
      const outcome = await ask(
        {
          prompt: `${prompt}\n\nThe work was done in ${ids.length} steps, whose results are given. Put them together into one complete answer to the request; where they contradict each other, say so.`,
          context: { ...context, ...passedOn(ids, plan, results) },
          intent: "decision",
          config: settings,
        },
        remainingBudget(limits, spent),
        options,
      );
      if (!("answer" in outcome)) return endOf(outcome);
      return { result: outcome.answer.result as string, spent: outcome.spent };
    },
    answerOf(answer) {
      if (typeof answer === "string" && answer.trim() !== "")
        return {
          kind: "solved",
          result: answer,
          calls: 0,
          tool: "person",
          spent: NO_USAGE,
          by: "person",
        };
      const message = "answer must be the result of the step as text";
      throw new CouncilError("invalid_request", message, { problems: [{ path: "answer", message }] });
    },
  };

  /** One request within its part of what the task has left. Only a cancelled one rejects. */
  async function ask(
    request: CouncilRequest,
    left: ReturnType<typeof remainingBudget>,
    options: CouncilOptions,
  ): Promise<AnsweredRequest | FailedRequest> {
    if ("exhausted" in left) return exhausted(left);
    try {
      const answer = await runCouncil(request, {
        ...options,
        budget: stricterBudget(options.budget ?? {}, left),
      });
      return { answer, spent: answer.metadata.usage };
    } catch (error) {
      if (!(error instanceof CouncilError) || error.code === "cancelled") throw error;
      return { code: error.code, message: error.message, spent: error.usage ?? NO_USAGE };
    }
  }

  /** A vote on the candidates; without a winner the first, which was drawn at temperature 0. */
  async function choose(plans: readonly Decomposition[], spent: TaskUsage, options: CouncilOptions) {
    const labels = plans.map((_, i) => String.fromCharCode(65 + i));
    const listed = plans.map((plan, i) => [`plan ${labels[i]}`, JSON.stringify(plan)] as const);
    const outcome = await ask(
      {
        prompt: `Which plan leads most surely and directly to a complete result for this task: ${labels.join(", ")}?\n\n${prompt}`,
        context: { ...context, ...Object.fromEntries(listed) },
        intent: "validation",
        config: { ...settings, escalate: [], answer_schema: choiceOf(labels) },
      },
      remainingBudget(limits, spent),
      options,
    );
    const chosen = "answer" in outcome ? (outcome.answer.metadata.answer as { plan?: string } | null) : null;
    return { plan: plans[Math.max(0, labels.indexOf(chosen?.plan ?? "A"))]!, spent: outcome.spent };
  }
}

const UNREACHABLE = { code: "transport" } as const;

interface AnsweredRequest {
  readonly answer: CouncilResult;
  readonly spent: TaskUsage;
}

interface FailedRequest {
  readonly code: string;
  readonly message: string;
  readonly spent: TaskUsage;
}

const exhausted = ({ exhausted: limit }: { readonly exhausted: string }): FailedRequest => ({
  code: "budget_exhausted",
  message: `The task has spent its ${limit}`,
  spent: NO_USAGE,
});

function endOf({ code, message, spent }: FailedRequest): StepEnd {
  const reason =
    code === "budget_exhausted" ? "budget" : code === "all_calls_failed" ? "transport" : "undecided";
  return { end: "paused", reason, message, spent };
}

const choiceOf = (labels: readonly string[]) => ({
  type: "object",
  properties: { plan: { enum: labels } },
  required: ["plan"],
  additionalProperties: false,
});

/** Equal but for their wording's layout: one candidate. */
function distinct(plans: readonly Decomposition[]): readonly Decomposition[] {
  const seen = new Set<string>();
  return plans.filter(({ steps }) => {
    const key = JSON.stringify(
      steps.map(({ action, dependencies }) => [canonical(action).key, dependencies]),
    );
    return !seen.has(key) && seen.add(key);
  });
}

function stepPrompt(task: string, { total_steps }: Decomposition, step: Step): string {
  const { id, action, input, output } = step;
  return [
    `Do step ${id} of ${total_steps} of a larger task: ${action}`,
    ...(input ? [`It takes: ${input}`] : []),
    ...(output ? [`It produces: ${output}`] : []),
    `The whole task, for orientation only: ${shorten(task, 2000)}`,
  ].join("\n");
}

/** Results under the names of their steps; long ones shortened. */
function passedOn(
  ids: readonly number[],
  { steps }: Decomposition,
  results: PlanResults,
): Record<string, string> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const result = results[id];
      const action = steps.find((step) => step.id === id)?.action ?? "";
      return result?.kind === "solved"
        ? [[`result of step ${id} (${action.slice(0, 60)})`, shorten(result.result)]]
        : [];
    }),
  );
}
