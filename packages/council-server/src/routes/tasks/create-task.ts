import { z } from "zod";
import { AcceptedTask, TaskSpec } from "../../api/task-schemas.ts";
import { defineRoute, failure, jsonResponse, success } from "../../http/route.ts";
import { idempotencyHeaders, readIdempotencyKey } from "../../http/submission-headers.ts";
import { fingerprint } from "../../runs/idempotency.ts";
import { toTaskError } from "../../tasks/task-service.ts";
import { taskFailures } from "./task-route.ts";

const headers = z.object({
  "idempotency-key": idempotencyHeaders.shape["idempotency-key"].describe(
    "Requests with the same key and body start one task, whatever instances get them.",
  ),
});

/** Starts a long task, and with the first one what tasks need. */
export const createTask = defineRoute({
  method: "post",
  path: "/tasks",
  summary: "Start a long task of steps, or a plan",
  headers,
  body: TaskSpec,
  responses: {
    202: success("It is stored and waits for its turn; Location names it.", AcceptedTask),
    400: failure("The task is invalid; `details` names each field. Nothing was started or spent."),
    422: failure("The Idempotency-Key belongs to another task."),
    503: taskFailures[503],
  },
  async handle(c, service, body) {
    const key = readIdempotencyKey(c);
    const once = key === undefined ? undefined : { key, fingerprint: fingerprint(body) };
    try {
      const { id, kind, name, status, replayed } = await service.tasks.create(body, once);
      const headers = { location: `/tasks/${id}`, ...(replayed ? { "idempotent-replayed": "true" } : {}) };
      return jsonResponse({ id, kind, name, status }, 202, headers);
    } catch (error) {
      throw toTaskError(error);
    }
  },
});
