import { ChatRequest, toCouncilRequest } from "../chat/request.ts";
import {
  ChatCompletion,
  ChatError,
  chatChunks,
  chatCompletion,
  chatError,
  chatFailure,
} from "../chat/response.ts";
import {
  clientSignal,
  defineRoute,
  failure as failureOf,
  jsonResponse,
  streamOptions,
} from "../http/route.ts";
import { eventStream } from "../http/sse.ts";
import { idempotencyHeaders, readIdempotencyKey, runHeaders } from "../http/submission.ts";

const failure = (description: string) => failureOf(description, ChatError);

/** The council behind the API most clients speak already. */
export const chat = defineRoute({
  method: "post",
  path: "/v1/chat/completions",
  summary: "Ask the council as an OpenAI-compatible model: auto, council, vote or decompose",
  headers: idempotencyHeaders,
  body: ChatRequest,
  failure: { schema: ChatError, body: chatFailure },
  responses: {
    200: {
      description: "The answer; with `stream: true`, in pieces.",
      content: { "application/json": ChatCompletion, "text/event-stream": undefined },
    },
    400: failure("The request is not understood; no model was asked."),
    404: failure("There is no such model."),
    409: failure("The run was cancelled."),
    422: failure(
      "The Idempotency-Key belongs to another request, or the budget does not reach for an answer.",
    ),
    502: failure("The models brought no usable answer."),
    503: failure("Too busy, or out of budget; see Retry-After."),
    504: failure("The deadline passed."),
  },
  async handle(c, service, body) {
    const submission = await service.submit(toCouncilRequest(body), {
      front: "chat",
      client: clientSignal(c),
      idempotencyKey: readIdempotencyKey(c),
    });
    const { id, live, outcome } = submission;
    const sent = runHeaders(submission);
    if (body.stream) {
      await live?.admitted.promise;
      const includeUsage = body.stream_options?.include_usage === true;
      const chunks = chatChunks(live, outcome, { id, model: body.model, includeUsage });
      return eventStream(chunks, { ...streamOptions(c, service), headers: sent });
    }
    const ended = await outcome;
    const answer =
      "error" in ended.body
        ? chatError(ended.status, ended.body)
        : chatCompletion(id, body.model, ended.body);
    return jsonResponse(answer, ended.status, { ...sent, ...ended.headers });
  },
});
