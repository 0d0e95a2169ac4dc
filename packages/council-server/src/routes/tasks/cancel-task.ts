import { taskAction } from "./task-route.ts";

export const cancelTask = taskAction("cancel", "End a task; its calls are aborted", (tasks, id) =>
  tasks.cancel(id),
);
