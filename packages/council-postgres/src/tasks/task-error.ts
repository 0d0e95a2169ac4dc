export type TaskErrorCode = "task_not_found" | "task_conflict" | "idempotency_mismatch" | "invalid_request";

/** An action on a task that cannot be taken; the message says why and what can be done. */
export class TaskError extends Error {
  override readonly name = "TaskError";
  readonly code: TaskErrorCode;
  /** The path of the invalid field, with `invalid_request`. */
  readonly path?: string;

  constructor(code: TaskErrorCode, message: string, path?: string) {
    super(message);
    this.code = code;
    if (path !== undefined) this.path = path;
  }
}

export const taskNotFound = (id: string): TaskError =>
  new TaskError("task_not_found", `There is no task ${JSON.stringify(id.slice(0, 100))}`);
