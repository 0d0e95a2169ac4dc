import { taskAction } from "./task-route.ts";

export const resumeTask = taskAction("resume", "Go on with a paused task", (tasks, id) => tasks.resume(id));
