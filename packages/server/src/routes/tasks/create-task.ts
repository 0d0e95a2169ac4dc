import { defineRoute, failure, jsonResponse } from "../../http/route.ts";
import { AcceptedTask, TaskSpec } from "../../http/task-schemas.ts";
import { toHttpError } from "../../tasks/task-service.ts";
import { taskFailures } from "./task-route.ts";

/** Starts a long task, and with the first one what tasks need. */
export const createTask = defineRoute({
  method: "post",
  path: "/tasks",
  summary: "Start a long task of steps, or a plan",
  body: TaskSpec,
  responses: {
    202: {
      description: "It is stored and waits for its turn; Location names it.",
      content: { "application/json": AcceptedTask },
    },
    400: failure("The task is invalid; `details` names each field. Nothing was spent."),
    503: taskFailures[503],
  },
  async handle(_, service, body) {
    try {
      const { id, kind, name, status } = await (await service.tasks.open()).create(body);
      return jsonResponse({ id, kind, name, status }, 202, { location: `/tasks/${id}` });
    } catch (error) {
      throw toHttpError(error);
    }
  },
});
