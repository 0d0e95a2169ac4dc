import { taskSpecSchema } from "@mci-ts/council";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { Task, TaskSpec } from "../api/task-schemas.ts";
import type { CouncilService } from "../service.ts";
import { ServiceError } from "../service-error.ts";
import { toTaskError } from "../tasks/task-service.ts";
import { inputSchema, outputSchema } from "./tool-schema.ts";

/** What clients see of a task: the fields of both kinds side by side, the settings as those of `query`. */
const LISTED_SPEC = z.lazy(() => {
  const [steps, plan] = taskSpecSchema.options;
  return z
    .strictObject({
      ...plan.partial().shape,
      ...steps.partial().shape,
      kind: z.enum(["steps", "plan"]),
      context: z.looseObject({}).optional().describe("As in `query`."),
      config: z.looseObject({}).optional().describe("Settings as in `query`."),
    })
    .describe("steps needs state, step and until; plan needs prompt.");
});
const START = inputSchema(z.strictObject({ task: TaskSpec }), z.strictObject({ task: LISTED_SPEC }));
const GET = inputSchema(z.strictObject({ id: z.string().min(1).max(100) }));
/** What every task has; `/openapi.json` describes the rest. */
const TASK = outputSchema(Task.pick({ id: true, kind: true, status: true }));

/** Long tasks as tools: one starts, the other looks. A task goes on without its client. */
export function registerTaskTools(server: McpServer, service: CouncilService): void {
  server.registerTool(
    "start_task",
    {
      description:
        'Starts a long task that survives restarts: kind "steps" votes on one small question after the other, kind "plan" decomposes, solves and puts together. Returns its id at once; ask get_task how far it is.',
      inputSchema: START,
      outputSchema: TASK,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (input: unknown) =>
      answered(async () => {
        const { replayed: _, ...task } = await service.tasks.create((input as { task: unknown }).task);
        return task;
      }),
  );
  server.registerTool(
    "get_task",
    {
      description:
        "How far a long task is: status, decided steps, state, cost, and why it is paused or failed.",
      inputSchema: GET,
      outputSchema: TASK,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (input: unknown) =>
      answered(async () => {
        const tasks = await service.tasks.current();
        if (tasks === undefined) throw new ServiceError("not_found", "There is no such task");
        return tasks.get((input as { id: string }).id);
      }),
  );
}

async function answered(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    const task = { ...(await work()) };
    return { content: [{ type: "text", text: JSON.stringify(task, null, 2) }], structuredContent: task };
  } catch (thrown) {
    const error = toTaskError(thrown);
    if (!(error instanceof ServiceError)) throw error;
    return { content: [{ type: "text", text: `${error.code}: ${error.message}` }], isError: true };
  }
}
