import { z } from "zod";
import { answerAgent } from "../../http/agents/agent-endpoint.ts";
import { agentRoute } from "../../http/agents/agent-route.ts";

/** The council as the model of agents that speak OpenAI's Responses. */
export const responses = agentRoute("responses", {
  path: "/v1/responses",
  summary: "Decide the next step of an agent that speaks OpenAI's Responses",
  body: z
    .looseObject({
      model: z.string().describe("act, act:PRESET or act/MODEL."),
      input: z.unknown().describe("A text, or the items of the whole conversation."),
      stream: z.boolean().nullish(),
      previous_response_id: z.null().optional().describe("Not supported: the service stores no responses."),
    })
    .meta({ id: "ResponsesRequest" }),
  response: z
    .looseObject({
      id: z.string(),
      object: z.literal("response"),
      status: z.string(),
      output: z.array(z.unknown()),
    })
    .meta({ id: "AgentResponse" }),
  handle: answerAgent,
});
