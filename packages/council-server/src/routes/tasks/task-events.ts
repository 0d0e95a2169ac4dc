import { setTimeout as sleep } from "node:timers/promises";
import type { StepView, TaskInstance, TaskView } from "@mci-ts/council";
import { isFinal } from "@mci-ts/council";
import { z } from "zod";
import { type PlanState, TaskEvent } from "../../api/task-schemas.ts";
import { parse } from "../../http/parse.ts";
import { clientSignal, defineRoute, failure, openStream } from "../../http/route.ts";
import { eventStream, type ServerEvent } from "../../http/sse.ts";
import { taskFailures, withTasks } from "./task-route.ts";

const headers = z.object({
  "last-event-id": z
    .string()
    .regex(/^\d{1,9}(\.end)?$/, "must be the id of an event of this stream")
    .default("0")
    .describe("Only events after this one; reconnecting clients send it."),
});

/** Steps are read from their records, so that any instance can send them and a client can go on after any of them. */
export const taskEvents = defineRoute({
  method: "get",
  path: "/tasks/:id/events",
  summary: "Replay a task's steps, and follow them until it ends",
  headers,
  responses: {
    200: { description: "Server-sent events.", content: { "text/event-stream": TaskEvent } },
    204: { description: "No events are left; a reconnecting client can stop." },
    400: failure("The header is invalid."),
    404: taskFailures[404],
    503: taskFailures[503],
  },
  handle: (c, service) =>
    withTasks(service, async (tasks) => {
      const id = c.req.param("id") ?? "";
      const received = { "last-event-id": c.req.header("last-event-id") };
      const { "last-event-id": last } = parse(headers, received, "headers");
      const { status } = await tasks.get(id);
      if (last.endsWith(".end") && isFinal(status)) return new Response(null, { status: 204 });
      const stream = openStream(c, service);
      return eventStream(streamTaskEvents(tasks, id, Number.parseInt(last, 10), clientSignal(c)), stream);
    }),
});

const PAGE = 500;
/** How often a task is read though nothing of it has changed: how long it has not moved is a part of it. */
const REFRESH_MS = 5000;
/** Steps that come faster than this are sent together. */
const MIN_WAIT_MS = 100;
/** Between two reports of the rate, the cost and the state. */
const PROGRESS_MS = 1000;

async function* streamTaskEvents(
  tasks: TaskInstance,
  id: string,
  after: number,
  client: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const watch = tasks.watch(id, client);
  let last = after;
  let lastSent = "";
  let shownAt = 0;
  while (!client.aborted) {
    // Read before its steps, so that all steps of a task that is over are sent before its end.
    const task = await tasks.get(id);
    for (let more = true; more && !client.aborted; ) {
      const steps = await stepsAfter(tasks, task, last);
      for (const step of steps) {
        last = step.order ?? step.step;
        yield toTaskEvent(String(last), id, { type: "step.decided", ...step });
      }
      more = steps.length === PAGE;
    }
    if (isFinal(task.status)) {
      yield toTaskEvent(`${last}.end`, id, { type: "task.end", task });
      return;
    }
    const change = changeOf(task);
    const now = performance.now();
    const isNew = change !== lastSent;
    if (isNew || (task.status === "running" && now - shownAt >= PROGRESS_MS)) {
      yield toTaskEvent(String(last), id, { type: isNew ? "task.status" : "task.progress", task });
      shownAt = now;
    }
    lastSent = change;
    await watch.changed(REFRESH_MS);
    await sleep(MIN_WAIT_MS, undefined, { signal: client }).catch(() => undefined);
  }
}

/** Steps of a plan come in the order in which they were solved. */
async function stepsAfter(tasks: TaskInstance, { id, kind }: TaskView, last: number): Promise<StepView[]> {
  if (kind === "steps") return tasks.steps(id, last + 1, PAGE);
  const all = await tasks.steps(id, 1, Number.MAX_SAFE_INTEGER);
  return all
    .filter(({ order = 0 }) => order > last)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .slice(0, PAGE);
}

/** What people wait for: another status, or a step of a plan that they are asked to answer. */
function changeOf({ status, error, kind, state }: TaskView): string {
  const steps = kind === "plan" ? (state as PlanState | null)?.steps : [];
  const undecided = (steps ?? []).flatMap((step) => (step.status === "undecided" ? [step.id] : []));
  return `${status} ${error?.code ?? ""} ${undecided}`;
}

type EventBody =
  | ({ readonly type: "step.decided" } & StepView)
  | { readonly type: "task.status" | "task.progress" | "task.end"; readonly task: TaskView };

function toTaskEvent(id: string, task_id: string, body: EventBody): ServerEvent {
  const data: TaskEvent = { v: 1, task_id, ts: new Date().toISOString(), ...body };
  return { id, event: body.type, data: JSON.stringify(data) };
}
