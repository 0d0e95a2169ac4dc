import type { StepsEngine, TaskEngine } from "@mci-ts/council";
import {
  CouncilError,
  type CouncilOptions,
  checkTask,
  compilePlanTask,
  compileStepsTask,
  type PlanEngine,
  type PlanTaskSpec,
  type StepEnd,
  type StepOptions,
  type StepsTaskSpec,
  type TaskLanguage,
  type TaskSpec,
} from "@mci-ts/council";
import { context } from "@opentelemetry/api";
import { fromCouncilError, HttpError } from "../http/errors.ts";
import { engineOptions, modelsNamedIn, type RunDependencies } from "../runs/execute-run.ts";
import { instrumentModel } from "../telemetry/tracing.ts";

/** The council as tasks use it: the models, prices, tools, budgets and metrics of this service. */
export function createTaskEngine(deps: RunDependencies, language: TaskLanguage): TaskEngine {
  return {
    async check(value) {
      try {
        const spec = checkTask(value, language);
        requireUsable(spec, deps);
        await requireTools(spec, deps);
        return spec;
      } catch (error) {
        throw error instanceof CouncilError ? fromCouncilError(error) : error;
      }
    },
    steps: (spec) => createStepsEngine(spec, deps, language),
    plan: (spec) => createPlanEngine(spec, deps),
  };
}

function createStepsEngine(spec: StepsTaskSpec, deps: RunDependencies, language: TaskLanguage): StepsEngine {
  const task = compileStepsTask(spec, language, deps.config.presets);
  return {
    ...task,
    solve: (progress, signal) =>
      withBudgetOfToday(deps, signal, async (options) => task.solve(progress, options)),
    answerOf(progress, answer) {
      try {
        return task.answerOf(progress, answer);
      } catch (error) {
        throw error instanceof CouncilError ? fromCouncilError(error) : error;
      }
    },
  };
}

function createPlanEngine(spec: PlanTaskSpec, deps: RunDependencies): PlanEngine {
  const task = compilePlanTask(spec, deps.config.presets);
  const run = <T>(signal: AbortSignal, work: (options: CouncilOptions) => Promise<T>) =>
    withBudgetOfToday(deps, signal, ({ checkTools: _, ...options }) => work(options));
  return {
    limits: task.limits,
    decompose: (spent, signal) => run(signal, (options) => task.decompose(spent, options)),
    async solve(work, signal) {
      const outcome = await run(signal, (options) => task.solve(work, options));
      return "kind" in outcome
        ? outcome
        : { kind: "undecided", reason: outcome.message, spent: outcome.spent };
    },
    synthesise: (plan, results, spent, signal) =>
      run(signal, (options) => task.synthesise(plan, results, spent, options)),
    answerOf(answer) {
      try {
        return task.answerOf(answer);
      } catch (error) {
        throw error instanceof CouncilError ? fromCouncilError(error) : error;
      }
    },
  };
}

/** Runs one step with the service's models. Where the service may spend no more today, the task is paused, not failed. */
export async function withBudgetOfToday<T>(
  deps: RunDependencies,
  signal: AbortSignal,
  work: (options: StepOptions) => Promise<T>,
): Promise<T | StepEnd> {
  const { config, models, metrics, statistics, dailyBudget, store } = deps;
  await dailyBudget.refresh();
  try {
    dailyBudget.check();
  } catch (error) {
    return paused((error as Error).message);
  }
  const refused = new AbortController();
  const deadlineAt = performance.now() + config.budget.deadline_ms;
  const model = instrumentModel(models, metrics, dailyBudget, {
    parent: context.active(),
    deadlineAt,
    onRefused: () => refused.abort(),
    // Instances that share a database have a shared account instead.
    ...(store.shared
      ? {}
      : { onExpense: (expense) => store.record({ kind: "expense", at: Date.now(), ...expense }) }),
  });
  const seat = models.simulated ? undefined : await deps.seatTools?.tools();
  try {
    return await work({
      ...engineOptions(config),
      model: { ...model, contextWindow: () => config.voting.contextWindow },
      models: models.names,
      ...(seat?.tools ? { tools: seat.tools, checkTools: seat.tools } : {}),
      price: models.price,
      record: (name) => statistics.agreement(name),
      equivalences: statistics.equivalences,
      signal: AbortSignal.any([signal, refused.signal]),
      onEvent: (event) => metrics.recordEvent(event),
    });
  } catch (error) {
    if (refused.signal.aborted && !signal.aborted) {
      const { usage } = error as CouncilError;
      return { ...paused(exhausted(dailyBudget)), ...(usage ? { spent: usage } : {}) };
    }
    throw error;
  } finally {
    // A budget that is held across crashes must know of this step before the next.
    if (!store.shared && Object.values(config.dailyBudget).some((limit) => limit !== undefined))
      await store.commit();
  }
}

function exhausted(dailyBudget: RunDependencies["dailyBudget"]): string {
  try {
    dailyBudget.check();
    return "The service may make no more calls today";
  } catch (error) {
    return (error as Error).message;
  }
}

const paused = (message: string): StepEnd => ({
  end: "paused",
  reason: "budget",
  message,
  spent: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
});

/** Models that no provider serves, and a simulated model that knows no facts to put into objects, are refused before any call. */
function requireUsable(spec: TaskSpec, { models }: RunDependencies): void {
  const details = modelsNamedIn({ prompt: "", config: spec.config }).flatMap(({ path, model }) => {
    const message = models.refuse(model);
    return message === undefined ? [] : [{ path, message }];
  });
  if (spec.kind === "steps" && models.simulated) {
    const message = 'kind "steps" needs a model provider; this service has none and simulates its answers';
    details.push({ path: "kind", message });
  }
  const [first] = details;
  if (first) throw new HttpError("invalid_request", `${first.path}: ${first.message}`, { details });
}

/** A check by a tool that is not offered would flag every answer. */
async function requireTools(spec: TaskSpec, { seatTools }: RunDependencies): Promise<void> {
  const checks = spec.kind === "steps" ? (spec.checks ?? []) : [];
  const named = checks.flatMap((check, i) => (typeof check === "string" ? [] : [{ i, tool: check.tool }]));
  if (named.length === 0) return;
  const offered = (await seatTools?.tools())?.tools?.definitions.map(({ name }) => name) ?? [];
  const details = named.flatMap(({ i, tool }) => {
    if (offered.includes(tool)) return [];
    const path = `checks[${i}].tool`;
    const choice =
      offered.length === 0 ? "none is offered (see MCI_TOOLS)" : `offered are ${offered.join(", ")}`;
    return [{ path, message: `${path} must be a read-only tool of MCI_TOOLS; ${choice}` }];
  });
  if (details[0]) throw new HttpError("invalid_request", details[0].message, { details });
}
