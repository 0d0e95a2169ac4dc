import { read } from "../load/client.ts";
import type { History, TaskStory, Violation } from "../load/history.ts";
import { mayBeLost } from "../load/history.ts";
import { nextNumber } from "../world/model.ts";
import type { World } from "../world/world.ts";

const PAGE = 500;

/** No step wrong, lost or twice: each follows from the one before, and the numbers have no hole. */
export async function checkTaskSteps(world: World, { tasks }: History): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const task of tasks.filter(({ id, end }) => id !== undefined && end !== "lost"))
    violations.push(...(await checkTask(world, task)));
  return violations;
}

/** Recorded steps of all tasks, for the report. */
export async function countSteps(world: World, { tasks }: History): Promise<number> {
  let steps = 0;
  for (const { id } of tasks) {
    if (id === undefined) continue;
    const { body } = await read(world.instances, `/tasks/${id}`);
    steps += body?.step ?? 0;
  }
  return steps;
}

async function checkTask(world: World, task: TaskStory): Promise<Violation[]> {
  const wrong = (detail: string): Violation[] => [
    { check: "steps", detail: `task ${task.id} (${task.name}): ${detail}` },
  ];
  const { status, body } = await read(world.instances, `/tasks/${task.id}`);
  if (status === 404 && mayBeLost(world.losses, task.acknowledgedAt)) return [];
  if (status !== 200)
    return [{ check: "acknowledged", detail: `task ${task.id} (${task.name}) is gone: ${status}` }];
  let n = task.first;
  let step = 0;
  for (;;) {
    const page = await read(world.instances, `/tasks/${task.id}/steps?from=${step + 1}&limit=${PAGE}`);
    if (page.status !== 200) return wrong(`its steps cannot be read: ${page.status}`);
    for (const found of page.body.steps) {
      if (found.step !== ++step) return wrong(`step ${found.step} stands where ${step} should`);
      const right = nextNumber(n);
      if (found.answer.n !== right)
        return wrong(`step ${step} of ${body.step} says ${found.answer.n}, not ${right}`);
      n = right;
    }
    if (page.body.next === null || page.body.steps.length === 0) break;
  }
  if (step !== body.step) return wrong(`it says ${body.step} steps, and ${step} are recorded`);
  if (body.status === "complete" && step !== task.steps)
    return wrong(`complete after ${step} of ${task.steps} steps`);
  if (body.status === "complete" && body.result.n !== n)
    return wrong(`its result is ${body.result.n}, not ${n}`);
  return [];
}
