import {
  type CouncilError,
  createTaskEngine,
  type StepEnd,
  type StepOptions,
  type TaskEngine,
  type TaskLanguage,
  type TaskSpec,
} from "@mci-ts/council";
import { context } from "@opentelemetry/api";
import type { DailyBudget } from "../budget/daily-budget.ts";
import { engineOptions } from "../runs/engine-options.ts";
import { modelsNamedIn } from "../runs/execute-run.ts";
import type { RunDependencies } from "../runs/run-dependencies.ts";
import { ServiceError } from "../service-error.ts";

/** The council as tasks use it: the models, prices, tools, budgets and metrics of this service. */
export function serviceTaskEngine(deps: RunDependencies, language: TaskLanguage): TaskEngine {
  return createTaskEngine({
    language,
    presets: deps.config.presets,
    async check(spec) {
      requireUsable(spec, deps);
      await requireTools(spec, deps);
    },
    run: (signal, work, subject) =>
      deps.subjectBudgets.withBudget(subject, (subjectBudget) =>
        withinDailyBudget(deps, { signal, work, subject, subjectBudget }),
      ),
  });
}

interface BudgetedStep<T> {
  readonly signal: AbortSignal;
  readonly work: (options: StepOptions) => Promise<T>;
  readonly subject: string | undefined;
  readonly subjectBudget: DailyBudget | undefined;
}

/**
 * Runs one step with the service's models. Where the service or the task's subject may spend no more today, the task is paused, not
 * failed.
 */
async function withinDailyBudget<T>(
  deps: RunDependencies,
  { signal, work, subject, subjectBudget }: BudgetedStep<T>,
): Promise<T | StepEnd> {
  const { config, metrics, dailyBudget, store } = deps;
  const budgets = subjectBudget ? [dailyBudget, subjectBudget] : [dailyBudget];
  await Promise.all(budgets.map((budget) => budget.refresh()));
  const reached = budgets.map(exhaustion).find((message) => message !== undefined);
  if (reached !== undefined) return paused(reached);
  // One signal that ends the step, for either reason.
  const ended = new AbortController();
  let refusedBy: DailyBudget | undefined;
  const { options } = await engineOptions(deps, {
    deadlineAt: performance.now() + config.budget.deadline_ms,
    parent: context.active(),
    subjectBudget,
    onRefused: (budget) => {
      refusedBy ??= budget;
      ended.abort(budget);
    },
    // Instances that share a database have a shared account instead.
    ...(store.shared
      ? {}
      : {
          onExpense: (expense) =>
            store.record({
              ...{ kind: "expense", at: Date.now(), ...expense },
              ...(subject === undefined ? {} : { subject }),
            }),
        }),
  });
  const onAbort = () => ended.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work({
      ...options,
      ...(options.tools ? { checkTools: options.tools } : {}),
      signal: ended.signal,
      onEvent: (event) => metrics.recordEvent(event),
    });
  } catch (error) {
    if (refusedBy && !signal.aborted) {
      const { usage } = error as CouncilError;
      const message = exhaustion(refusedBy) ?? "No more calls may be made today";
      return { ...paused(message), ...(usage ? { spent: usage } : {}) };
    }
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A budget that is held across crashes must know of this step before the next.
    const limits = [config.dailyBudget, config.subjectBudget].flatMap((budget) => Object.values(budget));
    if (!store.shared && limits.some((limit) => limit !== undefined)) await store.commit();
  }
}

/** The limit that a budget has reached. */
function exhaustion(budget: DailyBudget): string | undefined {
  try {
    budget.check();
    return undefined;
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
  if (first) throw new ServiceError("invalid_request", `${first.path}: ${first.message}`, { details });
}

/** A check by a tool that is not offered would flag every answer. */
async function requireTools(spec: TaskSpec, { seatTools }: RunDependencies): Promise<void> {
  const checks = spec.kind === "steps" ? (spec.checks ?? []) : [];
  const named = checks.flatMap((check, i) => (typeof check === "string" ? [] : [{ i, tool: check.tool }]));
  if (named.length === 0) return;
  const offered = seatTools?.tools.definitions.map(({ name }) => name) ?? [];
  const details = named.flatMap(({ i, tool }) => {
    if (offered.includes(tool)) return [];
    const path = `checks[${i}].tool`;
    const choice =
      offered.length === 0 ? "none is offered (see MCI_TOOLS)" : `offered are ${offered.join(", ")}`;
    return [{ path, message: `${path} must be a read-only tool of MCI_TOOLS; ${choice}` }];
  });
  if (details[0]) throw new ServiceError("invalid_request", details[0].message, { details });
}
