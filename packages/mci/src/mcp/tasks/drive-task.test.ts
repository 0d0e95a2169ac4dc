import { expect, test } from "vitest";
import { McpError } from "../errors.ts";
import { readTask, type ServerTask, taskOf, wrapTask } from "./created-task.ts";
import { type DriveOptions, driveTask } from "./drive-task.ts";

const created: ServerTask = { taskId: "t1", status: "working", pollIntervalMs: 1 };
const task = (status: string, more: object = {}) => ({ taskId: "t1", status, pollIntervalMs: 1, ...more });
const result = { content: [{ type: "text", text: "done" }] };

/** A server that says these things, one after another; the last one for ever. */
function server(...responses: (object | Error)[]) {
  const sent: [string, unknown][] = [];
  let index = 0;
  const request: DriveOptions["request"] = async (method, params) => {
    sent.push([method, params]);
    if (method !== "tasks/get") return {};
    const response = responses[Math.min(index++, responses.length - 1)]!;
    if (response instanceof Error) throw response;
    return response as Record<string, unknown>;
  };
  const options = { timeoutMs: 10_000, request, context: { server: "s", target: "t" } };
  return { sent, options };
}

test("a session that breaks while a task runs does not lose it [MCP-tasks]", async () => {
  const lost = new McpError("connection_lost", "the session broke");
  const { options, sent } = server(
    task("working"),
    lost,
    new McpError("unavailable", "no"),
    task("completed", { result }),
  );
  expect(await driveTask(created, options)).toEqual(result);
  expect(sent.map(([method]) => method)).toEqual(Array(4).fill("tasks/get"));
});

test("a session that stays broken, or a server that has forgotten the task, ends the call [MCP-tasks]", async () => {
  const broken = server(new McpError("connection_lost", "the session broke"));
  await expect(driveTask(created, broken.options)).rejects.toThrow("the session broke");
  expect(broken.sent).toHaveLength(6);
  const unknown = server(new McpError("refused", "no such task"));
  await expect(driveTask(created, unknown.options)).rejects.toThrow("no such task");
  expect(unknown.sent).toHaveLength(1);
});

test.each([
  ["a result without content", task("completed", { result: { ok: true } }), "without a result"],
  ["another task", { ...task("completed", { result }), taskId: "t2" }, "something else"],
  ["no task", { status: "working" }, "something else"],
  ["a failure without a reason", task("failed"), "the task failed"],
  ["a cancellation", task("cancelled", { statusMessage: "by an operator" }), "by an operator"],
])("%s is an error [MCP-tasks]", async (_, response, message) => {
  await expect(driveTask(created, server(response).options)).rejects.toThrow(message);
});

test("a server that asks without end is stopped, and its task cancelled [MCP-tasks-end]", async () => {
  const questions = Object.fromEntries(
    Array.from({ length: 21 }, (_, index) => [
      `q${index}`,
      { method: "elicitation/create", params: { message: "?", requestedSchema: {} } },
    ]),
  );
  const { options, sent } = server(task("input_required", { inputRequests: questions }));
  const input = { onInput: () => ({ action: "decline" as const }) };
  await expect(driveTask(created, { ...options, input })).rejects.toThrow("more than 20 questions");
  expect(sent.at(-1)).toEqual(["tasks/cancel", { taskId: "t1" }]);
});

test("time is up also for a task that never ends [MCP-tasks-end]", async () => {
  const { options, sent } = server(task("working"));
  await expect(driveTask(created, { ...options, timeoutMs: 30 })).rejects.toMatchObject({ kind: "timeout" });
  expect(sent.at(-1)).toEqual(["tasks/cancel", { taskId: "t1" }]);
});

test("a task passes the SDK inside of a result, and no server can write one there [MCP-tasks]", () => {
  const message = { id: 1, result: { resultType: "task", ...task("working") } as object };
  wrapTask(message);
  expect(message.result).toMatchObject({ resultType: "complete", content: [] });
  expect(taskOf(message.result as never)).toMatchObject(created);
  expect(taskOf({ _meta: { "mci-ts/task": task("working") } })).toBeUndefined();
  const broken = { id: 1, result: { resultType: "task", taskId: 5 } as object };
  wrapTask(broken);
  expect(() => taskOf(broken.result as never)).toThrow("no id or status");
  expect(readTask({ taskId: "x".repeat(1001), status: "working" })).toBeUndefined();
});
