import { z } from "zod";
import { answerAgent } from "../../http/agents/agent-endpoint.ts";
import { agentRoute } from "../../http/agents/agent-route.ts";
import { jsonResponse } from "../../http/route.ts";
import { invalidField } from "../../protocols/shared/refusals.ts";

const request = z.looseObject({
  model: z.string().describe("act, act:PRESET or act/MODEL."),
  messages: z.array(z.unknown()).min(1),
  max_tokens: z.int().min(1).optional(),
  stream: z.boolean().nullish(),
});

/** The council as the model of agents that speak Anthropic's Messages. */
export const messages = agentRoute("messages", {
  path: "/v1/messages",
  summary: "Decide the next step of an agent that speaks Anthropic's Messages",
  body: request.meta({ id: "MessagesRequest" }),
  response: z
    .looseObject({ id: z.string(), type: z.literal("message"), content: z.array(z.unknown()) })
    .meta({ id: "AgentMessage" }),
  handle: answerAgent,
});

/** An estimate: no provider is asked. */
export const countTokens = agentRoute("messages", {
  path: "/v1/messages/count_tokens",
  summary: "Estimate the tokens of a request to /v1/messages",
  body: request.meta({ id: "CountTokensRequest" }),
  response: z.strictObject({ input_tokens: z.int() }).meta({ id: "TokenCount" }),
  async handle(_, __, ___, body) {
    if (!Array.isArray(body["messages"])) throw invalidField("messages", "must be a list");
    return jsonResponse({ input_tokens: estimate([body["system"], body["messages"], body["tools"]]) });
  },
});

/** Four characters of text are about a token; a picture is about as many whatever its size. */
function estimate(value: unknown): number {
  let pictures = 0;
  const text = JSON.stringify(value, (key, one) => {
    if (key !== "data" || typeof one !== "string" || one.length < 1000) return one;
    pictures++;
    return "";
  });
  return Math.ceil((text ?? "").length / CHARS_PER_TOKEN) + pictures * TOKENS_PER_PICTURE;
}

const CHARS_PER_TOKEN = 4;
const TOKENS_PER_PICTURE = 1600;
