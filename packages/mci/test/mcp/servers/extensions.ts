import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallToolResult,
  type InputRequest,
  inputRequired,
  McpServer,
} from "@modelcontextprotocol/server";
import {
  memorySkillFiles,
  type SkillCatalog,
  SkillsExtension,
} from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";

// An MCP server with the official extensions: every call of its tools becomes a task, and it has skills. The tasks are those that
// the official suite asks for.

interface Task {
  readonly controller: AbortController;
  readonly questions: Map<string, { request: InputRequest; resolve: (response: unknown) => void }>;
  status: "working" | "completed" | "failed" | "cancelled";
  message?: string;
  outcome?: object;
}

type Work = (task: Task, args: Record<string, unknown>) => Promise<CallToolResult>;

const CREATED = "2026-09-01T10:00:00Z";
const tasks = new Map<string, Task>();
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const form = (message: string, name: string, type = "boolean") =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] } as never,
  });

function ask({ questions }: Task, key: string, request: InputRequest): Promise<{ action?: string }> {
  return new Promise((resolve) => questions.set(key, { request, resolve: resolve as never }));
}

const TOOLS: Record<string, Work> = {
  async slow_upstream(task, { seconds = 0, label = "" }) {
    task.message = "halfway";
    await sleep(Number(seconds) * 1000, undefined, { signal: task.controller.signal });
    return text(`done ${String(label)}`);
  },
  async confirm_delete(task, { filename }) {
    const { action } = await ask(task, "confirm", form(`Delete ${String(filename)}?`, "confirm"));
    return text(action === "accept" ? `Deleted ${String(filename)}` : "Kept");
  },
  async multi_input(task) {
    const both = [ask(task, "first", form("First?", "ok")), ask(task, "second", form("Second?", "ok"))];
    return text((await Promise.all(both)).map(({ action }) => action).join());
  },
  async protocol_error_job() {
    await sleep(50);
    throw Object.assign(new Error("The job broke"), { code: -32_603 });
  },
  async test_tool_with_task(_, { name }) {
    await sleep(50);
    return text(`Hello, ${String(name)}!`);
  },
};

function start(work: Work, args: Record<string, unknown>): object {
  const task: Task = { controller: new AbortController(), questions: new Map(), status: "working" };
  const taskId = randomUUID();
  tasks.set(taskId, task);
  work(task, args).then(
    (result) => end(task, "completed", { result }),
    ({ code = -32_603, message }) => end(task, "failed", { error: { code, message } }),
  );
  return { ...fields(taskId, task.status), resultType: "task" };
}

function end(task: Task, status: Task["status"], outcome: object): void {
  if (task.status !== "working") return;
  task.status = status;
  task.outcome = outcome;
}

const fields = (taskId: string, status: string) => ({
  ...{ taskId, status, createdAt: CREATED, lastUpdatedAt: CREATED },
  ...{ ttlMs: 60_000, pollIntervalMs: 50 },
});

function detailed(taskId: string, { status, questions, message, outcome }: Task): object {
  const statusMessage = message && { statusMessage: message };
  if (status !== "working" || questions.size === 0)
    return { ...fields(taskId, status), ...statusMessage, ...outcome };
  const inputRequests = Object.fromEntries([...questions].map(([key, { request }]) => [key, request]));
  return { ...fields(taskId, "input_required"), inputRequests };
}

const params = z.looseObject({ taskId: z.string() });

function setTaskHandlers({ server }: McpServer): void {
  const find = ({ taskId }: { taskId: string }): Task => {
    const task = tasks.get(taskId);
    if (task === undefined) throw Object.assign(new Error(`No task ${taskId}`), { code: -32_602 });
    return task;
  };
  server.setRequestHandler("tasks/get", { params }, async (request) => ({
    ...detailed(request.taskId, find(request)),
  }));
  server.setRequestHandler("tasks/update", { params }, async (request, { mcpReq }) => {
    const { questions } = find(request);
    for (const [key, response] of Object.entries(mcpReq.inputResponses ?? {})) {
      questions.get(key)?.resolve(response);
      questions.delete(key);
    }
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params }, async (request) => {
    const task = find(request);
    end(task, "cancelled", {});
    task.controller.abort();
    return {};
  });
}

function setTools({ server }: McpServer): void {
  server.registerCapabilities({ tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [
      ...[...Object.keys(TOOLS), "tasks_left"].map((name) => ({
        name,
        description: `The tool ${name}`,
        inputSchema: { type: "object" as const },
      })),
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    if (name === "tasks_left")
      return text(String([...tasks.values()].filter(({ status }) => status === "working").length));
    const answer = mcpReq.inputResponses?.["name"] as { content?: { name?: string } } | undefined;
    if (name === "test_tool_with_task" && answer === undefined)
      return inputRequired({ inputRequests: { name: form("Who?", "name", "string") } });
    return start(TOOLS[name]!, { ...args, ...answer?.content }) as CallToolResult;
  });
}

const SKILL = (name: string, about: string) =>
  `---\nname: ${name}\ndescription: ${about}\n---\n\n# ${name}\n`;

const catalog: SkillCatalog = await SkillsExtension.load(
  memorySkillFiles({
    "refunds/SKILL.md": SKILL("refunds", "Refunds of the shop"),
    "refunds/references/RULES.md": "Thirty days.\n",
    "invoices/SKILL.md": SKILL("invoices", "Invoices of the shop"),
  }),
);

serveStdio(() => {
  const server = new McpServer({ name: "extensions", version: "1.0.0" });
  setTools(server);
  setTaskHandlers(server);
  catalog.attach(server);
  return server;
});
