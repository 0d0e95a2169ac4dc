import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { schemaOf } from "../standard-schema.ts";
import type { CallTask, TaskStore } from "./call-task-store.ts";

/** The official extension (SEP-2663). */
export const TASKS = "io.modelcontextprotocol/tasks";

/** What clients ask about the tasks that their calls became. */
export function setTaskHandlers(server: Server, store: () => Promise<TaskStore>, owner: string): void {
  const task = async (taskId: string, context: ServerContext): Promise<CallTask> => {
    if (!hasTasks(context)) throw missingTasks();
    const found = (await store()).find(taskId, owner);
    if (found !== undefined) return found;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such task, or it has expired.");
  };
  server.setRequestHandler("tasks/get", { params: TASK }, async ({ taskId }, context) => ({
    ...(await task(taskId, context)).detailed(),
  }));
  server.setRequestHandler("tasks/update", { params: TASK }, async ({ taskId }, context) => {
    (await task(taskId, context)).answer(responsesOf(context));
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params: TASK }, async ({ taskId }, context) => {
    (await task(taskId, context)).cancel();
    return {};
  });
}

/** Whether the client says with this request that it can deal with tasks. Only those of 2026 can. */
export function hasTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared?.extensions?.[TASKS] !== undefined;
}

export function missingTasks(): ProtocolError {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
}

/** The SDK takes them out of the parameters, as it does for other requests. */
function responsesOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  return (mcpReq.inputResponses ?? {}) as Readonly<Record<string, unknown>>;
}

interface TaskParams {
  readonly taskId: string;
}

const TASK = schemaOf<TaskParams>(({ taskId }) => typeof taskId === "string");
