import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import { ANSWER_SCHEMA, questionFor } from "../world/model.ts";
import type { World } from "../world/world.ts";
import { send, sendUntilAnswered } from "./client.ts";
import { type History, mayBeLost, type TaskStory } from "./history.ts";

/** A task that has not moved for so long after the weather is stuck. */
const STUCK_MS = 60_000;
const POLL_MS = 400;

/** Starts tasks one after the other and follows each to its end, as one client would. */
export async function taskClient(
  world: World,
  history: History,
  random: Random,
  name: string,
  weather: AbortSignal,
): Promise<void> {
  for (let n = 1; !weather.aborted; n++) {
    const story = plan(`${name}-${n}`, random);
    history.tasks.push(story);
    await start(world, story, random);
    if (story.id !== undefined) await follow(world, history, story, random, weather);
  }
}

function plan(name: string, random: Random): TaskStory {
  const steps = random.between(60, 200);
  const limited = random.next() < 0.2;
  // Two calls for each step are the least: such a task stops before its end.
  return {
    name,
    first: random.between(1, 1e9),
    steps,
    ...(limited ? { maxCalls: random.between(60, steps) } : {}),
  };
}

async function start({ instances }: World, story: TaskStory, random: Random): Promise<void> {
  const { name, first, steps, maxCalls } = story;
  const body = {
    kind: "steps",
    name,
    state: { n: first },
    step: { prompt: questionFor(name, "{{state.n}}"), answer: ANSWER_SCHEMA, next: "{ n: answer.n }" },
    until: `step >= \`${steps}\``,
    config: { k: 2, ...(maxCalls === undefined ? {} : { max_calls: maxCalls }) },
  };
  const request = { method: "POST" as const, body, headers: { "idempotency-key": name } };
  // Every third client is impatient, and asks two instances at once.
  const twice = random.next() < 0.33;
  const [reply] = await Promise.all([
    sendUntilAnswered(instances, random, "/tasks", request),
    twice ? sendUntilAnswered(instances, random, "/tasks", request) : undefined,
  ]);
  if (reply.status !== 202) return;
  story.id = reply.body.id;
  story.acknowledgedAt = performance.now();
}

async function follow(
  world: World,
  history: History,
  story: TaskStory,
  random: Random,
  weather: AbortSignal,
): Promise<void> {
  const cancelAt = random.next() < 0.15 ? random.between(1, story.steps) : Number.POSITIVE_INFINITY;
  let last = -1;
  let movedAt = performance.now();
  while (story.end === undefined) {
    await sleep(POLL_MS);
    const { status, body } = await send(random.pick(world.instances), `/tasks/${story.id}`);
    if (status === 404 && mayBeLost(world.losses, story.acknowledgedAt)) story.end = "lost";
    if (status === 200) await act(body);
    if ((status === 200 && body.step !== last) || !weather.aborted) movedAt = performance.now();
    if (status === 200) last = body.step;
    if (performance.now() - movedAt > STUCK_MS) story.end = "stuck";
  }
  story.endedAt = performance.now();

  async function act(task: { status: string; step: number; error?: { code: string } }): Promise<void> {
    const id = story.id!;
    switch (task.status) {
      case "complete":
      case "cancelled":
      case "failed":
        story.end = task.status;
        return;
      case "paused":
        if (task.error?.code === "budget") story.end = "budget";
        else if (
          (await send(random.pick(world.instances), `/tasks/${id}/resume`, { method: "POST", body: {} }))
            .status === 200
        )
          history.resumed++;
        return;
      default:
        if (task.step < cancelAt || story.cancelledAt !== undefined) return;
        story.cancelSent = true;
        if (
          (await send(random.pick(world.instances), `/tasks/${id}/cancel`, { method: "POST", body: {} }))
            .status === 200
        )
          story.cancelledAt = performance.now();
    }
  }
}
