/**
 * Prompt -route-> Strategy -sample-> Sample* -red flag-> Sample | Flag -cluster-> Key
 *        -vote-> Winner | Undecided -> CouncilResult      (each arrow also emits one event)
 */

import { CouncilError } from "./errors.ts";
import { noResultError } from "./no-result.ts";
import type { CouncilOptions } from "./options.ts";
import { checkOptions } from "./options.ts";
import { applyPreset } from "./presets.ts";
import { problemsOf } from "./problems.ts";
import { toolChoiceSchema } from "./prompts/answer-schemas.ts";
import { routePrompt } from "./prompts/prompts.ts";
import { type CouncilRequest, councilRequestSchema } from "./request.ts";
import type { CouncilResult, Routing } from "./result.ts";
import { route } from "./routing/router.ts";
import { completeRun, finishCalls, openRun, type Run } from "./run.ts";
import { estimateTokens } from "./sampling/estimate-tokens.ts";
import { sample } from "./sampling/sample.ts";
import { SIMULATED_MODEL } from "./simulated/request.ts";
import { DEFAULT_STRATEGY, STRATEGIES, TOOLS } from "./strategies/strategies.ts";
import type { Strategy } from "./strategies/strategy.ts";
import { unusedSettings } from "./unused-settings.ts";

/** Whichever model was requested, a simulated answer is reported as simulated. */
const SIMULATED = { model: SIMULATED_MODEL, judge_model: undefined };

/**
 * Answers one request. What `councilRequestSchema` refuses is thrown as `CouncilError` `invalid_request` before any call;
 * a run with nothing honest to show ends in one of the other codes. Options of the wrong kind are a `TypeError`.
 */
export async function runCouncil(request: CouncilRequest, options: CouncilOptions): Promise<CouncilResult> {
  checkOptions(options);
  const checked = applyPreset(check(request), options.presets);
  const run = openRun(checked, options, { direct: directQuestion(checked) });
  const startedAt = run.clock.elapsed();
  return completeRun(run, async () => {
    await requireContextFits(run);
    const routing = await chooseTool(checked, run, options.assistedRouting ?? false);
    run.emit({ type: "run.routed", ...routing });
    const { tool, result, ...found } = await strategyOf(routing.tool).run(run, routing);
    if (run.budget.stopped === "cancelled") throw noResultError(run, { flagged: 0, reasons: [] });
    await finishCalls(run);
    run.emit({ type: "run.finished", tool, status: found.status });
    const metadata = {
      tool_used: tool,
      performance: { total_time_seconds: Math.round(run.clock.elapsed() - startedAt) / 1000 },
      raw_output: run.transcript.print(),
      routing,
      ...found,
      warnings: [
        ...run.settings.warnings,
        ...unusedSettings(request.config, [strategyOf(routing.tool), strategyOf(tool)]),
        ...found.warnings,
        ...run.notices,
      ],
      ...(run.tools ? { tools: run.tools.uses() } : {}),
      ...(run.client.respondingModels.has(SIMULATED_MODEL) ? SIMULATED : {}),
      usage: run.budget.usage(),
    };
    return { result, metadata };
  });
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

/** A request that cannot fit is refused before it costs anything. The estimate is low, so that none is refused that would fit. */
async function requireContextFits({ question, settings, findContextWindow }: Run): Promise<void> {
  const tokens = estimateTokens(question.prompt) + estimateTokens(JSON.stringify(question.context ?? ""));
  for (const name of new Set([...settings.voters, ...settings.seats, settings.judges[0]!])) {
    const window = await findContextWindow(name, tokens);
    if (window === undefined || tokens < window) continue;
    const message = `The request has about ${tokens} tokens, but ${name} takes ${window} with its reply. Shorten the prompt or its context, or use another model.`;
    throw new CouncilError("context_length_exceeded", message);
  }
}

/** By intent, then by rules; a model is asked only where that is switched on, and the rules hold when it does not answer. */
async function chooseTool(request: CouncilRequest, run: Run, assisted: boolean): Promise<Routing> {
  const routing = rerouteForAnswerSchema(route(request), run);
  if (!assisted || routing.by === "intent") return routing;
  const { helper: model } = run.settings;
  const messages = routePrompt(run.question, STRATEGIES);
  const sampled = await sample(run, {
    purpose: "route",
    model,
    messages,
    schema: toolChoiceSchema(TOOLS),
    temperature: 0,
  });
  return sampled.kind === "sample"
    ? rerouteForAnswerSchema({ tool: sampled.value.tool, by: "inference", rule: "assisted" }, run)
    : routing;
}

/** A strategy may have a form of its own, as a decomposition has: where the caller wants another, the council answers. */
function rerouteForAnswerSchema(routing: Routing, { answerSchema }: Run): Routing {
  const strategy: Strategy = strategyOf(routing.tool);
  if (answerSchema === undefined || strategy.input.config.includes("answer_schema")) return routing;
  if (routing.by === "inference") return { ...routing, tool: DEFAULT_STRATEGY.tool, rule: "answer_schema" };
  const message = `config.answer_schema must not be given for ${strategy.tool}, whose result has a form of its own; leave it out, or use another intent`;
  throw new CouncilError("invalid_request", message, {
    problems: [{ path: "config.answer_schema", message }],
  });
}

/** What the rules see in the prompt, whatever the intent. */
function directQuestion({ prompt, context }: CouncilRequest): Run["direct"] {
  const { rule } = route({ prompt, context });
  return rule.startsWith("fact.") && !OWN_MATTER.test(prompt)
    ? "fact"
    : /^(?:fact|choice)\./.test(rule)
      ? "choice"
      : undefined;
}

/** Asks what to do, which is for a judge to weigh, not for a majority to know. */
const OWN_MATTER = /\b(?:should|shall|we|us|our|I|my|you|your|best|better)\b/i;

/** Routing only names tools that are in the list. */
const strategyOf = (name: string) => STRATEGIES.find(({ tool }) => tool === name)!;
