import { prefersEvents } from "../http/accept.ts";
import { clientOf, defineRoute, failure, json, streamOf } from "../http/route.ts";
import { eventStream, type ServerEvent } from "../http/sse.ts";
import { idempotencyHeaders, idempotencyKeyOf, submittedHeaders } from "../http/submission.ts";
import { finalEnvelope } from "../runs/live-run.ts";
import type { Submission } from "../service.ts";
import { Envelope, ModelRequest, ModelResponse } from "../wire.ts";

/** The one endpoint that picks the tool. */
export const model = defineRoute({
  method: "post",
  path: "/mcp/model",
  summary: "Ask the council; it picks the tool",
  headers: idempotencyHeaders,
  body: ModelRequest,
  responses: {
    200: {
      description:
        "The answer; with Accept: text/event-stream, the deliberation as it happens, ending in the same body.",
      content: { "application/json": ModelResponse, "text/event-stream": Envelope },
    },
    400: failure("The request is not understood; no model was asked."),
    409: failure("The run was cancelled."),
    422: failure(
      "The Idempotency-Key belongs to another request, or the budget does not reach for an answer.",
    ),
    502: failure("The models brought no usable answer."),
    503: failure("Too busy, or out of budget; see Retry-After."),
    504: failure("The deadline passed."),
  },
  async handle(c, service, request) {
    const idempotencyKey = idempotencyKeyOf(c);
    const submission = await service.submit(request, { front: "http", client: clientOf(c), idempotencyKey });
    const sent = submittedHeaders(submission);
    if (prefersEvents(c.req.header("accept"))) {
      // A refusal at the door is a plain 503, not a stream that begins well.
      await submission.live?.admitted.promise;
      return eventStream(deliberation(submission), { ...streamOf(c, service), headers: sent });
    }
    const { status, body, headers: more } = await submission.outcome;
    return json(body, status, { ...sent, ...more });
  },
});

/** Every event of the run, then its answer. */
async function* deliberation({ id, live, outcome }: Submission): AsyncGenerator<ServerEvent> {
  let last = 0;
  for await (const event of live?.follow() ?? []) {
    last = event.seq;
    yield { id: String(event.seq), event: event.type, data: JSON.stringify(event) };
  }
  const final = finalEnvelope(id, last + 1, Date.now(), await outcome);
  yield { id: String(final.seq), event: final.type, data: JSON.stringify(final) };
}
