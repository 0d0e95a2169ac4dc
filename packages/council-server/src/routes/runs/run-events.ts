import { z } from "zod";
import { RunEvent } from "../../api/event-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, openStream } from "../../http/route.ts";
import { finalEvent } from "../../http/run-status.ts";
import { eventStream, type ServerEvent } from "../../http/sse.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import type { LiveRun } from "../../runs/live/live-run.ts";
import { followRemoteRun } from "../../runs/live/remote-run.ts";
import { recordedResponse } from "../../runs/response/recorded-response.ts";
import type { CouncilService } from "../../service.ts";
import { findRun, readHistory } from "../../store/read-history.ts";
import type { StoredRun } from "../../store/records.ts";

const headers = z.object({
  "last-event-id": wholeNumber(0)
    .default(0)
    .describe("Only events after this `seq`; reconnecting clients send it."),
});

/** Past events of a run, followed by new ones while it is in flight. Watching does not keep a run alive. */
export const runEvents = defineRoute({
  method: "get",
  path: "/runs/:id/events",
  summary: "Replay a run's events, and follow them while it is in flight",
  headers,
  responses: {
    200: { description: "Server-sent events.", content: { "text/event-stream": RunEvent } },
    204: { description: "No events are left; a reconnecting client can stop." },
    404: failure("The run does not exist."),
    503: failure("The history cannot be read at the moment."),
  },
  async handle(c, service) {
    const id = c.req.param("id") ?? "";
    const { "last-event-id": after } = parse(
      headers,
      { "last-event-id": c.req.header("last-event-id") },
      "headers",
    );
    const live = service.live(id);
    if (live) return eventStream(streamRunEvents(live, after), openStream(c, service));
    const run = await findRun(service.store, id);
    const { shared } = service.store;
    if (run.status === "running" && shared) {
      const remote = followRemoteRun(service.store, shared, id);
      return eventStream(streamRemoteEvents(remote, after), openStream(c, service));
    }
    const events = await replayEvents(service, run, after);
    return events.length === 0
      ? new Response(null, { status: 204 })
      : eventStream(iterate(events), openStream(c, service));
  },
});

async function* streamRunEvents(live: LiveRun, after: number): AsyncGenerator<ServerEvent> {
  let last = after;
  for await (const event of live.subscribe(after)) {
    last = event.seq;
    yield toServerEvent(event.seq, event.type, JSON.stringify(event));
  }
  const final = finalEvent(live.id, last + 1, Date.now(), await live.response);
  yield toServerEvent(final.seq, final.type, JSON.stringify(final));
}

/** When the client leaves, the events of the other instance are no longer read. */
async function* streamRemoteEvents(remote: LiveRun, after: number): AsyncGenerator<ServerEvent> {
  try {
    yield* streamRunEvents(remote, after);
  } finally {
    remote.cancel("client_gone");
  }
}

async function replayEvents(service: CouncilService, run: StoredRun, after: number): Promise<ServerEvent[]> {
  const all = await readHistory(service.store.events(run.id, 0));
  const response = recordedResponse(run);
  const final =
    response &&
    finalEvent(run.id, (all.at(-1)?.seq ?? 0) + 1, Date.parse(run.ended_at ?? run.started_at), response);
  return [
    ...all.filter(({ seq }) => seq > after).map(({ seq, type, data }) => toServerEvent(seq, type, data)),
    ...(final && final.seq > after ? [toServerEvent(final.seq, final.type, JSON.stringify(final))] : []),
  ];
}

function toServerEvent(seq: number, event: string, data: string): ServerEvent {
  return { id: String(seq), event, data };
}

async function* iterate(events: readonly ServerEvent[]): AsyncGenerator<ServerEvent> {
  yield* events;
}
