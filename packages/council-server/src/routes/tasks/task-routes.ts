import { z } from "zod";
import { DeletedTask, Task } from "../../api/task-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, type Route, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { answerStep } from "./answer-step.ts";
import { bulkActions } from "./bulk-actions.ts";
import { createTask } from "./create-task.ts";
import { listTasks } from "./list-tasks.ts";
import { taskEvents } from "./task-events.ts";
import { taskAction, taskFailures, withTasks } from "./task-route.ts";
import { taskSteps } from "./task-steps.ts";
import { taskStrip } from "./task-strip.ts";

const getTask = defineRoute({
  method: "get",
  path: "/tasks/:id",
  summary: "How far a task is: its state, rate and cost",
  responses: {
    200: success("The task.", Task),
    404: taskFailures[404],
    503: taskFailures[503],
  },
  handle: (c, service) =>
    withTasks(service, async (tasks) => Response.json(await tasks.get(c.req.param("id") ?? ""))),
});

const deleteTask = defineRoute({
  method: "delete",
  path: "/tasks/:id",
  summary: "Delete a task that is over or paused, with its steps",
  responses: {
    200: success("It is gone.", DeletedTask),
    ...taskFailures,
  },
  handle: (c, service) =>
    withTasks(service, async (tasks) => {
      const id = c.req.param("id") ?? "";
      await tasks.delete(id);
      return Response.json({ id, status: "deleted" });
    }),
});

const forkQuery = z.object({
  step: wholeNumber(1).describe(
    "The first step that the new task decides itself; it takes over those before.",
  ),
});

const forkTask = taskAction(
  "fork",
  "Start a new task from a step of this one",
  (tasks, id, c) => tasks.fork(id, parse(forkQuery, c.req.query(), "query").step),
  { query: forkQuery, status: 202 },
);

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
