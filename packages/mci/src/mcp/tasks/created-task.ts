import { isObject } from "@mci-ts/primitives/is-object";
import { McpError } from "../errors.ts";

/** The official extension (SEP-2663). */
export const TASKS = "io.modelcontextprotocol/tasks";

type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task of a server, as far as a client needs it. */
export interface ServerTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly pollIntervalMs?: number;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A key of this process, so that no server can write it. Made with the first session: most files have no servers. */
let key: string | undefined;

function metaKey(): string {
  key ??= `mci-ts/task-${crypto.randomUUID()}`;
  return key;
}

/**
 * The SDK refuses a result that is a task before a caller sees it. To the SDK it becomes a result without content, which has the
 * task in its `_meta`.
 */
export function wrapTask(message: unknown): void {
  if (!isObject(message) || !isObject(message["result"])) return;
  const { result } = message;
  if (result["resultType"] !== "task") return;
  message["result"] = { resultType: "complete", content: [], _meta: { [metaKey()]: result } };
}

/** The task that the server made of a call; undefined for a result. Throws if it is none that can be followed. */
export function taskOf(result: { readonly _meta?: object }): ServerTask | undefined {
  if (key === undefined || result._meta === undefined) return undefined;
  const data = (result._meta as Readonly<Record<string, unknown>>)[key];
  if (data === undefined) return undefined;
  const task = readTask(data);
  if (task === undefined) throw new McpError("refused", "the server made a task that has no id or status");
  return task;
}

const STATUSES: readonly unknown[] = ["working", "input_required", "completed", "failed", "cancelled"];
const MAX_ID = 1000;

export function readTask(data: unknown): ServerTask | undefined {
  if (!isObject(data)) return undefined;
  const { taskId, status, statusMessage, pollIntervalMs, inputRequests, result, error } = data;
  if (typeof taskId !== "string" || taskId === "" || taskId.length > MAX_ID || !STATUSES.includes(status))
    return undefined;
  return {
    taskId,
    status: status as TaskStatus,
    ...(typeof statusMessage === "string" && { statusMessage }),
    ...(typeof pollIntervalMs === "number" && { pollIntervalMs }),
    ...(isObject(inputRequests) && { inputRequests }),
    result,
    error,
  };
}
