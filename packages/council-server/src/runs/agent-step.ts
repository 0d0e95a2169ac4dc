import {
  type ActionRequest,
  type ActionResult,
  type CouncilOptions,
  resolveConfig,
  runAction,
} from "@mci-ts/council";
import type { RunDependencies } from "./run-dependencies.ts";

/** One step of an agent, on its way through a run. */
export interface AgentStep {
  readonly request: ActionRequest;
  /** Equal for the steps of one agent. */
  readonly session: string;
  /** What the history has of the request, beside its prompt and config. */
  readonly record: StepRecord;
  /** Called with what was decided, before the run ends. */
  readonly onResult: (result: ActionResult) => void;
}

interface StepRecord {
  readonly protocol: string;
  /** As the agent named it. */
  readonly model: string;
  readonly bytes: number;
  /** The request, so that the step can be taken again; absent where it is too long for the history. */
  readonly body?: unknown;
}

/** Decides a step within the budget of its session. */
export async function executeStep(
  { request, session, onResult }: AgentStep,
  options: CouncilOptions,
  { models, sessionBudgets }: RunDependencies,
): Promise<ActionResult> {
  const { max_usd_session: maxUsd } = resolveConfig(request, options).act;
  const result = await (maxUsd === undefined
    ? runAction(request, options)
    : sessionBudgets.withBudget({ session, maxUsd, price: models.price }, options.model, (model) =>
        runAction(request, { ...options, model }),
      ));
  onResult(result);
  return result;
}
