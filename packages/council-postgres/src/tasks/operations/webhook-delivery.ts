import { type DeliverTaskWebhook, isFinal, type TaskView } from "@mci-ts/council";
import type { TaskStore } from "../store/task-store.ts";

/** Tells receivers of tasks that are over. What is due is claimed with the clock of the database; any instance delivers it. */
export function createWebhookDelivery(
  store: TaskStore,
  view: (id: string) => Promise<TaskView>,
  deliver: DeliverTaskWebhook,
): () => Promise<void> {
  return async () => {
    const claimed = await store.claimWebhooks(SIDE_BY_SIDE, LEASE_MS);
    await Promise.all(
      claimed.map(async ({ id, lease, ...webhook }) => {
        const task = await view(id);
        // It was retried since, and will end again.
        if (!isFinal(task.status)) return;
        const { retryMs } = await deliver({ ...webhook, task });
        await store.settleWebhook({ id, lease }, retryMs);
      }),
    );
  };
}

const SIDE_BY_SIDE = 20;
/** Longer than an attempt may take. */
const LEASE_MS = 60_000;
