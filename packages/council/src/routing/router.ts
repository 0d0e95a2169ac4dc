import { z } from "zod";
import { checkArgument } from "../problems.ts";
import type { CouncilRequest } from "../request.ts";
import type { Routing } from "../result.ts";
import { DEFAULT_STRATEGY, INTENTS, strategyFor } from "../strategies/strategies.ts";
import { findChoices } from "./choices.ts";
import { ROUTING_RULES, readPrompt } from "./rules.ts";

/** Which tool answers a request, and why. Pure, no model call: the intent decides, then the first rule that fits. */
export function route(request: Pick<CouncilRequest, "prompt" | "intent" | "context">): Routing {
  checkArgument("request", request, routed);
  const { intent } = request;
  if (intent !== undefined) return { tool: strategyFor(intent).tool, by: "intent", rule: intent };
  const prompt = readPrompt(request.prompt, {
    hasCode: typeof request.context?.code === "string" && request.context.code !== "",
    choices: findChoices(request.prompt).length,
  });
  const fitting = ROUTING_RULES.find((rule) => rule.fits(prompt));
  return fitting
    ? { tool: fitting.tool, by: "inference", rule: fitting.name }
    : { tool: DEFAULT_STRATEGY.tool, by: "inference", rule: "default" };
}

const routed = z.looseObject({ prompt: z.string(), intent: z.enum(INTENTS).optional() });
