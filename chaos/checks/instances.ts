import { send } from "../load/client.ts";
import type { Violation } from "../load/history.ts";
import { waitUntil } from "../wait.ts";
import type { Instance } from "../world/instance.ts";
import { ANSWER_SCHEMA, questionFor } from "../world/model.ts";
import type { World } from "../world/world.ts";

const READY_MS = 60_000;
const STOP_MS = 30_000;

/** After the weather every instance takes work again: its runs are recorded where the others see them, and its tasks are done. */
export async function checkInstances(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const instance of world.instances) {
    const problem = await useInstance(instance, world);
    if (problem) violations.push({ check: "instances", detail: `${instance.name} ${problem}` });
  }
  return violations;
}

/** SIGTERM ends each of them. */
export async function checkStop({ instances }: World): Promise<Violation[]> {
  const times = await Promise.all(instances.map((instance) => instance.stop(STOP_MS)));
  return instances.flatMap(({ name }, i) =>
    times[i] === undefined
      ? [{ check: "instances", detail: `${name} did not end within ${STOP_MS / 1000} s after SIGTERM` }]
      : [],
  );
}

/** An instance may stop itself, but it says why. */
export function checkExits({ instances }: Pick<World, "instances">): Violation[] {
  return instances.flatMap(({ name, exits }) =>
    exits.flatMap(({ end, reason, output }) =>
      reason === undefined
        ? [{ check: "instances", detail: `${name} ended with ${end} and no reason: ${output.slice(-500)}` }]
        : [],
    ),
  );
}

async function useInstance(instance: Instance, { instances }: World): Promise<string | undefined> {
  if (!(await waitUntil(instance.isReady, READY_MS))) return "is not ready";
  const name = `after-${instance.name}`;
  const body = {
    prompt: questionFor(name, 7),
    intent: "validation",
    config: { k: 2, answer_schema: ANSWER_SCHEMA },
  };
  let last = 0;
  const answers = await waitUntil(async () => {
    const reply = await send(instance, "/mcp/model", { method: "POST", body });
    last = reply.status;
    if (last !== 200) return false;
    const id = reply.headers.get("x-request-id");
    const others = await Promise.all(instances.map((other) => send(other, `/runs/${id}`)));
    last = others.find(({ status }) => status !== 200)?.status ?? 200;
    return last === 200;
  }, READY_MS);
  if (!answers) return `is ready, but its runs are not answered and recorded: ${last}`;
  const task = {
    kind: "steps",
    name,
    state: { n: 7 },
    step: { prompt: questionFor(name, "{{state.n}}"), answer: ANSWER_SCHEMA, next: "{ n: answer.n }" },
    until: "step >= `3`",
    config: { k: 2 },
  };
  const started = await send(instance, "/tasks", { method: "POST", body: task });
  if (started.status !== 202)
    return `is ready, but takes no tasks: ${started.status} ${JSON.stringify(started.body)}`;
  const done = await waitUntil(
    async () => (await send(instance, `/tasks/${started.body.id}`)).body?.status === "complete",
    READY_MS,
  );
  return done ? undefined : "is ready, but a task that it took is not done";
}
