import type { Route } from "../../http/route.ts";
import { answerStep } from "./answer-step.ts";
import { bulkActions } from "./bulk-actions.ts";
import { createTask } from "./create-task.ts";
import { deleteTask } from "./delete-task.ts";
import { forkTask } from "./fork-task.ts";
import { getTask } from "./get-task.ts";
import { listTasks } from "./list-tasks.ts";
import { taskEvents } from "./task-events.ts";
import { taskAction } from "./task-route.ts";
import { taskSteps } from "./task-steps.ts";
import { taskStrip } from "./task-strip.ts";

/** The endpoints of long tasks. */
export const taskRoutes: readonly Route[] = [
  createTask,
  bulkActions,
  listTasks,
  getTask,
  taskEvents,
  taskSteps,
  taskStrip,
  answerStep,
  taskAction("pause", "Pause a task after the step it is at", (tasks, id) => tasks.pause(id)),
  taskAction("resume", "Go on with a paused task", (tasks, id) => tasks.resume(id)),
  taskAction(
    "retry",
    "Go on with a paused task, or with a failed one after its last decided step",
    (tasks, id) => tasks.retry(id),
  ),
  taskAction("cancel", "End a task; its calls are aborted", (tasks, id) => tasks.cancel(id)),
  deleteTask,
  forkTask,
];
