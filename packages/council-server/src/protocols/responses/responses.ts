import type { Body, Protocol } from "../protocol.ts";
import { openAiError } from "../shared/openai-error.ts";
import { event } from "../shared/stream.ts";
import { isRecord, parseInput } from "../shared/values.ts";
import { readReply } from "./read-reply.ts";
import { readRequest } from "./read-request.ts";
import { toCall } from "./to-call.ts";
import { base, writeEvents, writeResponse } from "./write-response.ts";

/** `POST /v1/responses` of OpenAI, without state: every request holds its whole conversation. */
export const responses: Protocol = {
  name: "responses",
  path: "/responses",
  read: readRequest,
  toCall,
  toBody: ({ body }, { model, temperature, reasoning, stream }) => {
    const { temperature: own, reasoning: thought, ...rest } = body;
    return {
      ...rest,
      model,
      ...(temperature === undefined ? (own === undefined ? {} : { temperature: own }) : { temperature }),
      ...(thought === undefined || !reasoning ? {} : { reasoning: thought }),
      ...(stream ? { stream: true } : {}),
    };
  },
  readReply,
  readStream: (events) => {
    const last = events
      .map(({ data }) => parseInput(data))
      .filter(isRecord)
      .findLast(({ response }) => isRecord(response));
    const ended = ["response.completed", "response.incomplete"].includes(String(last?.["type"]));
    return ended ? (last!["response"] as Body) : undefined;
  },
  response: writeResponse,
  events: writeEvents,
  opening: (response) => [
    event("response.created", { response: { ...base(response), status: "in_progress" } }),
    event("response.in_progress", { response: { ...base(response), status: "in_progress" } }),
  ],
  keepAlive: (response) =>
    event("response.in_progress", { response: { ...base(response), status: "in_progress" } }),
  error: openAiError,
  errorEvents: ({ code, message }, _, response) => [
    event("response.failed", { response: { ...base(response), status: "failed", error: { code, message } } }),
  ],
};
