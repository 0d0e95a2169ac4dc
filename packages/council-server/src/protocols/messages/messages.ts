import type { Protocol } from "../protocol.ts";
import { event } from "../shared/stream.ts";
import { messagesError } from "./error.ts";
import { readReply } from "./read-reply.ts";
import { isThinking, readRequest } from "./read-request.ts";
import { readStream } from "./read-stream.ts";
import { toCall } from "./to-call.ts";
import { base, writeEvents, writeResponse } from "./write-response.ts";

/** `POST /v1/messages` of Anthropic. */
export const messages: Protocol = {
  name: "messages",
  path: "/messages",
  read: readRequest,
  toCall,
  toBody: ({ body }, { model, temperature, stream }) => {
    const { temperature: own, ...rest } = body;
    // A model that thinks takes no temperature but its own.
    const set = temperature === undefined || isThinking(body) ? own : Math.min(1, temperature);
    return {
      ...rest,
      model,
      ...(set === undefined ? {} : { temperature: set }),
      ...(stream ? { stream: true } : {}),
    };
  },
  readReply,
  readStream,
  response: writeResponse,
  events: writeEvents,
  opening: (response) => [
    event("message_start", {
      message: {
        ...base(response),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    }),
    event("ping", {}),
  ],
  keepAlive: () => event("ping", {}),
  error: messagesError,
  errorEvents: (failure, status) => [event("error", messagesError(failure, status))],
};
