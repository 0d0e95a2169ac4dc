import { z } from "zod";
import { ChatError } from "../../chat/response.ts";
import type { Body, ProtocolName } from "../../protocols/protocol.ts";
import { PROTOCOLS } from "../../protocols/protocols.ts";
import { isRecord } from "../../protocols/shared/values.ts";
import type { CouncilService } from "../../service.ts";
import { ServiceError } from "../../service-error.ts";
import { statusOf } from "../errors.ts";
import { type AppContext, defineRoute, failure, type Route } from "../route.ts";

interface AgentRoute {
  readonly path: string;
  readonly summary: string;
  /** What the documentation says: the conversation itself is passed on as it came, unchecked. */
  readonly body: z.ZodType;
  readonly response: z.ZodType;
  readonly handle: (
    c: AppContext,
    service: CouncilService,
    name: ProtocolName,
    body: Body,
  ) => Promise<Response>;
}

/** An endpoint of one of the protocols of agents, with that protocol's errors. */
export function agentRoute(name: ProtocolName, { path, summary, body, response, handle }: AgentRoute): Route {
  const error = ERRORS[name];
  const failed = (description: string) => failure(description, error);
  return defineRoute<Body>({
    method: "post",
    path,
    summary,
    body: body as z.ZodType<Body>,
    isConversation: true,
    readBody(value) {
      if (isRecord(value)) return value;
      throw new ServiceError("invalid_request", "The body must be a JSON object");
    },
    failure: { schema: error, body: (one) => PROTOCOLS[name].error(one, statusOf(one.code)) },
    responses: {
      200: {
        description: "What the agent does next; with `stream: true`, as events.",
        content: { "application/json": response, "text/event-stream": undefined },
      },
      400: failed(
        "The request is invalid, or the provider of this model cannot carry a part of it; no model was called.",
      ),
      404: failed("The model does not exist."),
      409: failed("The run was cancelled."),
      422: failed("The votes do not agree, or a budget is spent."),
      502: failed("The models returned no usable reply."),
      503: failed("Overloaded, or the daily budget is spent; see Retry-After."),
      504: failed("The deadline passed."),
    },
    handle: (c, service, body) => handle(c, service, name, body),
  });
}

const ERRORS: Readonly<Record<ProtocolName, z.ZodType>> = {
  chat: ChatError,
  responses: ChatError,
  messages: z
    .strictObject({
      type: z.literal("error"),
      error: z.strictObject({ type: z.string(), message: z.string(), code: z.string() }),
    })
    .meta({ id: "MessagesError" }),
};
