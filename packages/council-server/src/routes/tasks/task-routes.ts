import type { Route } from "../../http/route.ts";
import { answerStep } from "./answer-step.ts";
import { bulkActions } from "./bulk-actions.ts";
import { cancelTask } from "./cancel-task.ts";
import { createTask } from "./create-task.ts";
import { deleteTask } from "./delete-task.ts";
import { forkTask } from "./fork-task.ts";
import { getTask } from "./get-task.ts";
import { listTasks } from "./list-tasks.ts";
import { pauseTask } from "./pause-task.ts";
import { resumeTask } from "./resume-task.ts";
import { retryTask } from "./retry-task.ts";
import { taskEvents } from "./task-events.ts";
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
  pauseTask,
  resumeTask,
  retryTask,
  cancelTask,
  deleteTask,
  forkTask,
];
