/**
 * Prompt -route-> Strategy -sample-> Sample* -red flag-> Sample | Flag -ballot-> Key
 *        -vote-> Winner | Undecided -> CouncilResult      (each arrow also emits one event)
 */

import { CouncilError } from "./errors.ts";
import { nothingToShow } from "./no-result.ts";
import type { CouncilOptions } from "./options.ts";
import { checkOptions } from "./options.ts";
import { problemsOf } from "./problems.ts";
import { toolChoice } from "./prompts/answer-schemas.ts";
import { routePrompt } from "./prompts/prompts.ts";
import { type CouncilRequest, councilRequestSchema } from "./request.ts";
import type { CouncilResult, Routing, Tool } from "./result.ts";
import { route } from "./routing/router.ts";
import { openRun, type Run } from "./run.ts";
import { draw } from "./sampling/sample.ts";
import { SIMULATED_MODEL } from "./simulated/model.ts";
import { consultCouncil } from "./strategies/council.ts";
import { decomposeTask } from "./strategies/decompose.ts";
import type { Strategy } from "./strategies/strategy.ts";
import { solveWithVoting } from "./strategies/vote.ts";

const STRATEGIES: Readonly<Record<Tool, Strategy>> = {
  consult_council: consultCouncil,
  decompose_task: decomposeTask,
  solve_with_voting: solveWithVoting,
};

/** Whatever model was asked for, a simulated answer never passes for its own. */
const SIMULATED = { model: SIMULATED_MODEL, judge_model: undefined };

/**
 * Answers one request. What `councilRequestSchema` refuses is thrown as `CouncilError` `invalid_request` before any call;
 * a run with nothing honest to show ends in one of the other codes. Options of the wrong kind are a `TypeError`.
 */
export async function runCouncil(request: CouncilRequest, options: CouncilOptions): Promise<CouncilResult> {
  checkOptions(options);
  const checked = check(request);
  const run = openRun(checked, options);
  const startedAt = run.clock.elapsed();
  try {
    const routing = await chooseTool(checked, run, options.assistedRouting ?? false);
    run.emit({ type: "run.routed", ...routing });
    const { tool, result, ...found } = await STRATEGIES[routing.tool](run);
    if (run.spending.stopped === "cancelled") throw nothingToShow(run, { flagged: 0, reasons: [] });
    await finish(run);
    run.emit({ type: "run.finished", tool, status: found.status });
    const metadata = {
      tool_used: tool,
      performance: { total_time_seconds: Math.round(run.clock.elapsed() - startedAt) / 1000 },
      raw_output: run.transcript.print(),
      routing,
      ...found,
      ...(run.sampler.answeredBy.has(SIMULATED_MODEL) ? SIMULATED : {}),
      usage: run.spending.usage(),
    };
    return { result, metadata };
  } catch (error) {
    await finish(run);
    if (error instanceof CouncilError) error.usage = run.spending.usage();
    const { code, message } =
      error instanceof CouncilError ? error : { code: "internal", message: String(error) };
    run.emit({ type: "run.failed", code, message });
    throw error;
  }
}

function check(request: CouncilRequest): CouncilRequest {
  const checked = councilRequestSchema.safeParse(request);
  if (checked.success && isJson(checked.data.context)) return checked.data;
  const problems = checked.success
    ? [{ path: "context", message: "context must be what JSON can hold: no circles, no BigInt" }]
    : problemsOf(checked.error, councilRequestSchema, request);
  const [first, ...more] = problems.map(({ message }) => message);
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  throw new CouncilError("invalid_request", `${first}${others}`, { problems });
}

/** It goes into prompts as JSON; callers in the same process can hand over what never came as JSON. */
function isJson(context: unknown): boolean {
  try {
    JSON.stringify(context);
    return true;
  } catch {
    return false;
  }
}

/** By intent, then by rules; a model is asked only where that is switched on, and the rules hold when it does not answer. */
async function chooseTool(request: CouncilRequest, run: Run, assisted: boolean): Promise<Routing> {
  const routing = route(request);
  if (!assisted || routing.by === "intent") return routing;
  const { helper: model } = run.settings;
  const messages = routePrompt(run.question);
  const drawn = await draw(run, { purpose: "route", model, messages, schema: toolChoice, temperature: 0 });
  return drawn.kind === "sample" ? { tool: drawn.value.tool, by: "inference", rule: "assisted" } : routing;
}

/** Aborts what is still under way, and waits until it is counted. */
async function finish({ spending, sampler }: Run): Promise<void> {
  spending.close();
  await sampler.idle();
}
