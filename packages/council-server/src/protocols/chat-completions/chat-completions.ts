import type { AgentRequest, Body, Protocol } from "../protocol.ts";
import { openAiError } from "../shared/openai-error.ts";
import { isRecord } from "../shared/values.ts";
import { readReply } from "./read-reply.ts";
import { readRequest } from "./read-request.ts";
import { readStream } from "./read-stream.ts";
import { toCall } from "./to-call.ts";
import { chunk, wantsUsage, writeEvents, writeResponse } from "./write-response.ts";

/** `POST /v1/chat/completions` of OpenAI, and of all that call themselves compatible. */
export const chatCompletions: Protocol = {
  name: "chat",
  path: "/chat/completions",
  read: readRequest,
  toCall,
  toBody,
  readReply,
  readStream,
  // What a call used is for the budgets; the event that says so has no choice.
  isOurs: ({ body }, { data }) =>
    !wantsUsage(body) && /"choices":\s*\[\]/.test(data) && data.includes('"usage"'),
  response: writeResponse,
  events: writeEvents,
  opening: (response) => [
    chunk(response, [
      { index: 0, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null },
    ]),
  ],
  // Python's openai package fails on anything but `data:` lines.
  keepAlive: (response) => chunk(response, [{ index: 0, delta: {}, finish_reason: null, logprobs: null }]),
  error: openAiError,
  errorEvents: (failure, status) => [{ data: JSON.stringify(openAiError(failure, status)) }],
};

function toBody(
  { body }: AgentRequest,
  { model, temperature, tokenLimit, reasoning, stream, askForUsage }: Parameters<Protocol["toBody"]>[1],
): Body {
  const {
    max_tokens,
    max_completion_tokens,
    temperature: own,
    reasoning_effort,
    stream_options,
    ...rest
  } = body;
  const limit = max_completion_tokens ?? max_tokens;
  return {
    ...rest,
    model,
    ...(temperature === undefined ? (own === undefined ? {} : { temperature: own }) : { temperature }),
    ...(limit === undefined || tokenLimit === "none" ? {} : { [tokenLimit]: limit }),
    ...(reasoning_effort === undefined || !reasoning ? {} : { reasoning_effort }),
    ...(stream ? { stream: true } : {}),
    ...(stream && (askForUsage || isRecord(stream_options))
      ? {
          stream_options: {
            ...(isRecord(stream_options) ? stream_options : {}),
            ...(askForUsage ? { include_usage: true } : {}),
          },
        }
      : {}),
  };
}
