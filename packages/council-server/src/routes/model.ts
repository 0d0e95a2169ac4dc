import { networkOf } from "@mci-ts/http-guard";
import { AcceptedRun, ModelRequest, ModelResponse } from "../api/api-schemas.ts";
import { RunEvent } from "../api/event-schemas.ts";
import { prefersEvents } from "../http/accept.ts";
import { clientSignal, defineRoute, failure, jsonResponse, openStream, success } from "../http/route.ts";
import { finalEvent, responseHeaders, responseStatus } from "../http/run-status.ts";
import { eventStream, type ServerEvent } from "../http/sse.ts";
import {
  idempotencyHeaders,
  prefersAsync,
  readIdempotencyKey,
  runHeaders,
} from "../http/submission-headers.ts";
import { splitConfig } from "../runs/run-config.ts";
import type { Submission } from "../runs/submission.ts";
import { readHistory } from "../store/read-history.ts";

/** The main endpoint: it chooses the tool. */
export const model = defineRoute({
  method: "post",
  path: "/mcp/model",
  summary: "Ask the council; it chooses the tool",
  headers: idempotencyHeaders,
  body: ModelRequest,
  responses: {
    200: {
      description:
        "The result; with Accept: text/event-stream, the events of the run as they happen, ending in the same body.",
      content: { "application/json": ModelResponse, "text/event-stream": RunEvent },
    },
    202: success(
      "With Prefer: respond-async. The run goes on without its client; Location names it.",
      AcceptedRun,
    ),
    400: failure("The request is invalid; no model was called."),
    409: failure("The run was cancelled."),
    422: failure("The Idempotency-Key belongs to another request, or the budget is too small for a result."),
    502: failure("The models returned no usable answer."),
    503: failure("Overloaded, or the daily budget is spent; see Retry-After."),
    504: failure("The deadline passed."),
  },
  async handle(c, service, { config: requestConfig, ...question }) {
    const { config, options } = splitConfig(requestConfig);
    const request = { ...question, config };
    const idempotencyKey = readIdempotencyKey(c);
    const background = prefersAsync(c);
    // Before the run starts: a client with too many streams is rejected without one.
    const stream = !background && prefersEvents(c.req.header("accept")) ? openStream(c, service) : undefined;
    const submission = await service.submit(request, {
      channel: "http",
      client: background ? undefined : clientSignal(c),
      caller: networkOf(c.env.incoming.socket.remoteAddress ?? ""),
      idempotencyKey,
      ...options,
    });
    const sent = runHeaders(submission);
    if (background) {
      await submission.live?.admitted;
      // Whatever instance the client asks next knows the run, also if this one ends now.
      await readHistory(service.store.recorded()).catch((error: unknown) => {
        submission.live?.cancel("not_recorded");
        throw error;
      });
      return accepted(submission, sent);
    }
    if (stream) {
      // A rejected run gets a plain 503, not a stream that starts with status 200.
      await submission.live?.admitted;
      return eventStream(eventsOfRun(submission), { ...stream, headers: sent });
    }
    const response = await submission.response;
    return jsonResponse(response.body, responseStatus(response.body), {
      ...sent,
      ...responseHeaders(response),
    });
  },
});

/** 202: the run goes on without its client, who finds it under its own address. */
function accepted({ id, live }: Submission, sent: Readonly<Record<string, string>>): Response {
  const links = { run: `/runs/${id}`, events: `/runs/${id}/events` };
  const headers = { ...sent, location: links.run, "preference-applied": "respond-async" };
  return jsonResponse({ id, status: live ? "running" : "finished", links }, 202, headers);
}

/** Every event of the run, then its response. */
async function* eventsOfRun({ id, live, response }: Submission): AsyncGenerator<ServerEvent> {
  let last = 0;
  for await (const event of live?.subscribe() ?? []) {
    last = event.seq;
    yield { id: String(event.seq), event: event.type, data: JSON.stringify(event) };
  }
  const final = finalEvent(id, last + 1, Date.now(), await response);
  yield { id: String(final.seq), event: final.type, data: JSON.stringify(final) };
}
