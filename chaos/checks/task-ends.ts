import { type Reply, read } from "../load/client.ts";
import { type History, mayBeLost, type TaskStory, type Violation } from "../load/history.ts";
import type { World } from "../world/world.ts";

/** Every acknowledged task has come to an end that its client caused or asked for, and is still there. */
export async function checkTaskEnds(world: World, { tasks }: History): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const story of tasks) {
    if (story.id === undefined || story.end === "lost") continue;
    const { body } = await read(world.instances, `/tasks/${story.id}`);
    violations.push(...problemsOf(story, body, world.losses));
  }
  return violations;
}

/** What is wrong with a task, by what its client saw and what the service says now. */
export function problemsOf(story: TaskStory, now: Reply["body"], losses: World["losses"]): Violation[] {
  const { id, name, end, maxCalls, cancelledAt, endedAt } = story;
  const at = `task ${id} (${name}), ${now?.status} at step ${now?.step}`;
  if (end === "stuck") return [{ check: "stuck", detail: `${at}, does not move` }];
  if (now?.status === "failed" || end === "failed")
    return [{ check: "failed", detail: `${at}: ${now?.error?.code}: ${now?.error?.message}` }];
  if (cancelledAt !== undefined && now?.status !== "cancelled" && !mayBeLost(losses, cancelledAt))
    return [{ check: "cancelled", detail: `${at}, was cancelled` }];
  if (end === "budget" && maxCalls === undefined)
    return [{ check: "ends", detail: `${at}, ran out of a budget that it does not have` }];
  if (end === "cancelled" && !story.cancelSent)
    return [{ check: "ends", detail: `${at}, and its client has not cancelled it` }];
  const expected = end === "budget" ? "paused" : end;
  if (now?.status === expected || mayBeLost(losses, endedAt)) return [];
  return [{ check: "ends", detail: `${at}, its client saw it end: ${end ?? "never"}` }];
}
