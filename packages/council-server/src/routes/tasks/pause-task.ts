import { taskAction } from "./task-route.ts";

export const pauseTask = taskAction("pause", "Pause a task after the step it is at", (tasks, id) =>
  tasks.pause(id),
);
