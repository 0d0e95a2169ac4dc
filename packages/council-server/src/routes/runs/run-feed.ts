import { z } from "zod";
import { RunSummary } from "../../api/run-schemas.ts";
import { clientSignal, defineRoute, openStream } from "../../http/route.ts";
import { eventStream, type ServerEvent } from "../../http/sse.ts";
import type { RunFeed } from "../../runs/live/run-feed.ts";

const RunChange = z
  .strictObject({ v: z.literal(1), type: z.literal("run.changed"), run: RunSummary })
  .meta({ id: "RunChange" });

/** Which runs begin and end, for lists that are looked at: no one has to read them again and again. */
export const runFeed = defineRoute({
  method: "get",
  path: "/runs/events",
  summary: "Follow which runs begin and end",
  responses: {
    200: { description: "Server-sent events, from now on.", content: { "text/event-stream": RunChange } },
  },
  handle: (c, service) => eventStream(changes(service.runFeed, clientSignal(c)), openStream(c, service)),
});

async function* changes(feed: Pick<RunFeed, "follow">, client: AbortSignal): AsyncGenerator<ServerEvent> {
  for await (const runs of feed.follow(client))
    for (const run of runs)
      yield { event: "run.changed", data: JSON.stringify({ v: 1, type: "run.changed", run }) };
}
