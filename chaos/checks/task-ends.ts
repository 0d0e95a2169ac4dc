import { read } from "../load/client.ts";
import { type History, mayBeLost, type Violation } from "../load/history.ts";
import type { World } from "../world/world.ts";

/** No task is stuck or failed, and a cancelled one stays cancelled. */
export async function checkTaskEnds(world: World, { tasks }: History): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { id, name, end, cancelledAt } of tasks) {
    if (id === undefined || end === "lost") continue;
    const { body } = await read(world.instances, `/tasks/${id}`);
    const at = `task ${id} (${name}), ${body?.status} at step ${body?.step}`;
    if (end === "stuck") violations.push({ check: "stuck", detail: `${at}, does not move` });
    if (body?.status === "failed")
      violations.push({ check: "failed", detail: `${at}: ${body.error?.code}: ${body.error?.message}` });
    if (cancelledAt !== undefined && body?.status !== "cancelled" && !mayBeLost(world.losses, cancelledAt))
      violations.push({ check: "cancelled", detail: `${at}, was cancelled` });
  }
  return violations;
}
