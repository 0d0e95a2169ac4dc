import { read } from "../load/client.ts";
import { type History, mayBeLost, type Violation } from "../load/history.ts";
import { waitUntil } from "../wait.ts";
import type { World } from "../world/world.ts";

/** Each run that was acknowledged (200 or 202) exists, and none runs forever. */
export async function checkAcknowledgedRuns(world: World, { runs }: History): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { id, key, status, acknowledgedAt } of runs) {
    let found = await read(world.instances, `/runs/${id}`);
    if (found.status === 200 && found.body.status === "running")
      await waitUntil(async () => {
        found = await read(world.instances, `/runs/${id}`);
        return found.body?.status !== "running";
      }, 30_000);
    if (mayBeLost(world.losses, acknowledgedAt)) continue;
    const run = `run ${id} (${key}, acknowledged with ${status} ${sinceLoss(world.losses, acknowledgedAt)})`;
    if (found.status !== 200)
      violations.push({ check: "acknowledged", detail: `${run} is gone: ${found.status}` });
    else if (found.body.status === "running")
      violations.push({ check: "stuck", detail: `${run} still runs` });
    else if (status === 200 && found.body.status !== "complete")
      violations.push({ check: "acknowledged", detail: `${run} is ${found.body.status}` });
  }
  return violations;
}

/** When that was, beside the failovers that lose commits. */
function sinceLoss(losses: World["losses"], at: number): string {
  const before = losses.findLast(({ from }) => from <= at);
  if (before === undefined) return "before any lossy failover";
  return `${Math.round(at - before.to)} ms after the end of a lossy failover`;
}
