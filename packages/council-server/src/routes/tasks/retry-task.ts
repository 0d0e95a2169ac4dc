import { taskAction } from "./task-route.ts";

export const retryTask = taskAction(
  "retry",
  "Go on with a paused task, or with a failed one after its last decided step",
  (tasks, id) => tasks.retry(id),
);
