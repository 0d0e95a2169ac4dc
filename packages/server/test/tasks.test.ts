import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { program } from "../../../test/programs/programs.ts";
import { EXAMPLE_TASK } from "../../council/src/tasks/example-task.ts";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { copyCluster } from "../../postgres/test/cluster.ts";
import { readConfig } from "../src/config/config.ts";
import { openModels } from "../src/providers/models.ts";
import { type CouncilServer, serve } from "../src/server.ts";
import { runTask } from "../src/task-command/command.ts";
import { parseEvents, post } from "./harness.ts";
import { checker } from "./openapi-checker.ts";

const dir = mkdtempSync(join(tmpdir(), "council-server-tasks-"));
const env = { PORT: "0", MCI_DETECT_LOCAL: "0", MCI_DATA_DIR: dir };
const config = readConfig(env);
const hanoi = hanoiModel({ errorRate: 0 });
/** Counts, plays Towers of Hanoi, and is at odds with itself about the number 66. */
async function model() {
  const simulated = await openModels(config.models);
  let calls = 0;
  return {
    ...simulated,
    simulated: false,
    forRun: () => ({
      async complete(...args: Parameters<typeof hanoi.complete>) {
        const text = args[0].messages.at(-1)!.content;
        const [, number] = /The number is (\d+)/.exec(text) ?? [];
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (number === undefined) return hanoi.complete(...args);
        const n = number === "66" ? ++calls : Number(number) + 1;
        return {
          text: "",
          object: { rationale: "", answer: { n } },
          finishReason: "stop" as const,
          usage: { inputTokens: 10, outputTokens: 5, costUsd: 0 },
          latencyMs: 2,
        };
      },
    }),
  };
}

/** The example, to three. */
const COUNT = { ...EXAMPLE_TASK, until: "state.n >= `3`" };

let server: CouncilServer;
let url: string;
const logged: string[] = [];
let check: ReturnType<typeof checker> | undefined;
const seen = new Set<string>();
const start = async (more: Record<string, string> = {}) => {
  server = await serve(readConfig({ ...env, ...more }), {
    log: (line) => logged.push(line),
    models: await model(),
  });
  ({ url } = server);
  check ??= checker(await (await fetch(`${url}/openapi.json`)).json());
};
beforeAll(() => start());
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Every response is also checked against /openapi.json. */
async function ask(method: "get" | "post", path: string, request: Promise<Response>) {
  const response = await request;
  const text = await response.text();
  const template = path
    .replace(/\?.*/, "")
    .replace(/^\/tasks\/[^/]+/, "/tasks/{id}")
    .replace(/steps\/.+/, "steps/{n}");
  seen.add(`${method} ${template}`);
  check!(method, template, response, text);
  return { status: response.status, location: response.headers.get("location"), text };
}
const get = async (path: string) => JSON.parse((await ask("get", path, fetch(`${url}${path}`))).text);
const act = async (path: string, sent: unknown = {}) => {
  const { text, ...rest } = await ask("post", path, post(`${url}${path}`, sent));
  return { ...rest, body: JSON.parse(text) };
};
async function until(id: string, ...statuses: string[]) {
  for (;;) {
    const task = await get(`/tasks/${id}`);
    if (statuses.includes(task.status)) return task;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
async function untilStep(id: string, step: number) {
  while ((await get(`/tasks/${id}/steps?from=${step}`)).steps.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** `mci-council task …` at the service of this file. */
async function command(...args: string[]) {
  return commandAs({ isTerminal: false }, ...args);
}
async function commandAs(terminal: { isTerminal: boolean; stopped?: AbortSignal }, ...args: string[]) {
  let out = "";
  let progress = "";
  const code = await runTask(
    [...args, "--url", url],
    {},
    {
      write: (text) => {
        out += text;
      },
      progress: (text) => {
        progress += text;
      },
      ...terminal,
    },
  );
  return { code, out, progress };
}

describe("tasks over HTTP", { timeout: 60_000 }, () => {
  test("[TS-lazy] before the first task nothing is started: the list is empty, and ids are unknown", async () => {
    expect(await get("/tasks")).toEqual({ tasks: [], next_cursor: null });
    expect(await get("/tasks/none")).toMatchObject({ error: { code: "not_found" } });
    expect((await act("/tasks", { ...EXAMPLE_TASK, until: "state.n >=" })).status).toBe(400);
    expect(existsSync(join(dir, "postgres"))).toBe(false);
    await copyCluster(dir);
  });

  test("[TS-create] a task is accepted with 202 and its address, runs, and shows its steps", async () => {
    const { status, location, body } = await act("/tasks", EXAMPLE_TASK);
    expect({ status, body }).toEqual({
      status: 202,
      // On a busy machine it may have left the queue by now.
      body: {
        id: expect.any(String),
        kind: "steps",
        name: "count",
        status: expect.stringMatching(/queued|running/),
      },
    });
    expect(location).toBe(`/tasks/${body.id}`);
    expect(await until(body.id, "complete", "failed", "paused")).toMatchObject({
      status: "complete",
      step: 20,
      state: { n: 20 },
      result: { n: 20 },
      usage: { calls: 60, cost_usd: 0 },
    });
    const { steps } = await get(`/tasks/${body.id}/steps?from=19`);
    expect(steps).toMatchObject([
      { step: 19, answer: { n: 19 }, votes: { '{"n":19}': 3 }, calls: 3 },
      { step: 20, answer: { n: 20 } },
    ]);
    expect((await get("/tasks")).tasks[0].id).toBe(body.id);
  });

  test("[TS-key] requests with the same key start one task; another task under that key is refused", async () => {
    const send = (spec: object) =>
      ask("post", "/tasks", post(`${url}/tasks`, spec, { headers: { "idempotency-key": "once" } }));
    const { name, ...rest } = COUNT;
    const sent = await Promise.all([send(COUNT), send({ ...rest, name }), send(COUNT)]);
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(sent.map(({ location }) => location)).size).toBe(1);
    const { id } = JSON.parse(sent[0]!.text);
    await until(id, "complete");
    expect(JSON.parse((await send(COUNT)).text)).toEqual({
      id,
      kind: "steps",
      name,
      status: "complete",
    });
    const other = await send({ ...COUNT, max_steps: 50 });
    expect(other).toMatchObject({
      status: 422,
      text: expect.stringContaining("idempotency_mismatch"),
    });
    expect((await get("/tasks")).tasks.filter((task: { id: string }) => task.id === id)).toHaveLength(1);
  });

  test.each([
    ["a template", { step: { ...EXAMPLE_TASK.step, prompt: "{{state.n" } }, "step.prompt"],
    ["an expression", { until: "state.n >=" }, "until"],
    ["a schema", { step: { ...EXAMPLE_TASK.step, answer: { type: "array" } } }, "step.answer"],
    ["a tool", { checks: [{ tool: "lookup" }] }, "checks[0].tool"],
    ["a model", { config: { model: "x/y/z", k: 99 } }, "config.k"],
  ])("[TS-create] a mistake in %s is a 400 that names the field", async (_, change, path) => {
    const { status, body } = await act("/tasks", { ...EXAMPLE_TASK, ...change });
    expect(status).toBe(400);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test("[TS-events] events are sent as they happen, and a client goes on after the last one it got", async () => {
    const { body } = await act("/tasks", hanoiTask(5, { k: 2 }));
    const path = `/tasks/${body.id}/events`;
    const events = parseEvents((await ask("get", path, fetch(`${url}${path}`))).text);
    const steps = events.filter(({ event }) => event === "step.decided").map(({ data }) => JSON.parse(data));
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1));
    for (const { step, answer } of steps) expect(answer).toMatchObject(hanoiMove(step));
    expect(events.at(-1)).toMatchObject({ event: "task.end", id: "31.end" });
    const after = (id: string) =>
      fetch(`${url}/tasks/${body.id}/events`, { headers: { "last-event-id": id } });
    const rest = parseEvents(await (await after("29")).text());
    expect(rest.map(({ id }) => id)).toEqual(["30", "31", "31.end"]);
    expect((await after("31.end")).status).toBe(204);
    expect((await after("x")).status).toBe(400);
  });

  test("[TS-actions] pause, resume, cancel and fork; what is not possible is a 409 that says what is", async () => {
    const { body } = await act("/tasks", hanoiTask(9, { k: 2 }));
    const { id } = body;
    await untilStep(id, 5);
    expect(await act(`/tasks/${id}/pause`)).toMatchObject({ status: 200, body: { status: "paused" } });
    expect(await act(`/tasks/${id}/resume`)).toMatchObject({ status: 200 });
    expect(await act(`/tasks/${id}/cancel`)).toMatchObject({ body: { status: "cancelled" } });
    const refused = await act(`/tasks/${id}/resume`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "task_conflict" } } });
    expect(refused.body.error.message).toContain("Possible now: cancel, fork");
    const fork = await act(`/tasks/${id}/fork?step=3`);
    expect(fork).toMatchObject({ status: 202, body: { step: 2, forked_from: { id, step: 3 } } });
    expect(fork.location).toBe(`/tasks/${fork.body.id}`);
    await act(`/tasks/${fork.body.id}/cancel`);
    expect((await act(`/tasks/${id}/fork`)).status).toBe(400);
    expect((await act("/tasks/none/pause")).status).toBe(404);
  });

  test("[TS-answer] an undecided step pauses the task with the reason, and a person answers it", async () => {
    const { body } = await act("/tasks", { ...EXAMPLE_TASK, state: { n: 65 }, until: "state.n >= `68`" });
    const paused = await until(body.id, "paused", "complete");
    expect(paused).toMatchObject({
      status: "paused",
      step: 1,
      error: { code: "undecided" },
      time_left_ms: null,
      answer_schema: EXAMPLE_TASK.step.answer,
    });
    expect((await act(`/tasks/${body.id}/steps/2`, { answer: { n: "x" } })).status).toBe(400);
    expect((await act(`/tasks/${body.id}/steps/2`, { answer: { n: 67 } })).status).toBe(200);
    expect(await until(body.id, "paused", "complete")).toMatchObject({ status: "complete", step: 3 });
    const { steps } = await get(`/tasks/${body.id}/steps?from=2&limit=1`);
    expect(steps).toMatchObject([{ step: 2, answer: { n: 67 }, by: "person" }]);
  });

  test("[TS-mcp] an MCP client starts a task and asks how far it is", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const started = await client.callTool({ name: "start_task", arguments: { task: COUNT } });
    const { id } = started.structuredContent as { id: string };
    await until(id, "complete");
    const { structuredContent } = await client.callTool({ name: "get_task", arguments: { id } });
    expect(structuredContent).toMatchObject({ id, status: "complete", result: { n: 3 } });
    const wrong = await client.callTool({
      name: "start_task",
      arguments: { task: { ...EXAMPLE_TASK, until: "(" } },
    });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("until") }] });
    await client.close();
  });

  test("[TS-command] the command runs a task at a service with its progress, and steers it", async () => {
    const file = join(dir, "count.json");
    writeFileSync(file, JSON.stringify(COUNT));
    const run = await command("run", file);
    expect(run).toMatchObject({ code: 0, out: '{\n  "n": 3\n}\n' });
    expect(run.progress).toMatch(/^complete {2}step 3 of at most 100 {2}9 calls {2}\$0\.0000$/m);
    const json = await command("run", file, "--json");
    const task = JSON.parse(json.out.trim().split("\n").at(-1)!);
    expect(task).toMatchObject({ status: "complete", step: 3 });
    expect((await command("status", task.id)).out).toContain("complete  step 3");
    expect(JSON.parse((await command("fork", task.id, "--step", "3", "--json")).out)).toMatchObject({
      step: 2,
    });
    await expect(command("resume", task.id)).rejects.toThrow("409: The task is complete");
    await expect(command("fork", task.id)).rejects.toThrow("--step");
    await expect(command("start", file)).rejects.toThrow("task run FILE");
    writeFileSync(file, JSON.stringify({ ...EXAMPLE_TASK, until: "(" }));
    await expect(command("run", file)).rejects.toThrow("until must be a JMESPath expression");
  });

  test("[TS-command] pause, status, resume and cancel print the task; a run that is stopped says how to go on", async () => {
    const file = join(dir, "hanoi.json");
    writeFileSync(file, JSON.stringify({ ...hanoiTask(10, { k: 2 }), name: "watched" }));
    const stop = new AbortController();
    const running = commandAs({ isTerminal: true, stopped: stop.signal }, "run", file);
    let id = "";
    await vi.waitFor(async () => {
      const { tasks } = await get("/tasks?status=running");
      const task = tasks.find(({ name }: { name: string }) => name === "watched");
      expect(task?.step).toBeGreaterThan(0);
      id = task.id;
    }, 30_000);
    stop.abort();
    const stopped = await running;
    expect(stopped).toMatchObject({ code: 130, out: "" });
    // A line that is drawn again and again.
    expect(stopped.progress.startsWith("\r\x1b[K[---")).toBe(true);
    expect(stopped.progress).toContain("step 0 of at most 1024");
    expect(stopped.progress).toContain(`mci-council task status ${id} --url ${url}`);
    expect(await command("pause", id)).toMatchObject({ code: 0, out: expect.stringContaining("requested:") });
    expect(JSON.parse((await command("status", id, "--json")).out)).toMatchObject({ id, status: "paused" });
    expect((await command("resume", id)).out).toMatch(/queued|running/);
    expect(await command("cancel", id)).toMatchObject({ code: 0, out: expect.stringContaining("cancelled") });
    expect((await command("--help")).out).toContain("Exit codes:");
    await expect(command("status", "none")).rejects.toThrow("404: There is no task");
  });

  test.skipIf(!existsSync("/usr/bin/script"))(
    "[TS-command] on a real terminal the program draws a bar, and ends with what the task left",
    async () => {
      const file = join(dir, "undecided.json");
      writeFileSync(file, JSON.stringify({ ...EXAMPLE_TASK, state: { n: 65 }, until: "state.n >= `68`" }));
      const main = program("packages/server", "main.js");
      const line = `'${process.execPath}' '${main}' task run '${file}' --url '${url}'`;
      const { code, output } = await new Promise<{ code: number; output: string }>((resolve) =>
        execFile("/usr/bin/script", ["-qec", line, "/dev/null"], { timeout: 60_000 }, (error, stdout) =>
          resolve({ code: Number(error?.code ?? 0), output: stdout }),
        ),
      );
      expect({ code, output }).toEqual({ code: 3, output: expect.stringContaining("\x1b[K[") });
      expect(output).toContain("paused  step 1 of at most 100");
    },
  );

  test("every endpoint of tasks is documented, and was checked against its documentation", async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith("/tasks") ? Object.keys(methods).map((method) => `${method} ${path}`) : [],
    );
    expect(documented.filter((operation) => !seen.has(operation))).toEqual([]);
  });

  test("[TS-metrics] steps, retries and waiting tasks are counted", async () => {
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    expect(await metrics()).toMatch(/^council_task_steps_total\{outcome="decided"\} \d{2,}$/m);
    expect(await metrics()).toMatch(/^council_task_steps_total\{outcome="undecided"\} \d+$/m);
    const { body } = await act("/tasks", { ...EXAMPLE_TASK, state: { n: 66 }, until: "state.n >= `68`" });
    await until(body.id, "paused");
    const retries = async () => Number(/^council_task_retries_total (\d+)$/m.exec(await metrics())?.[1] ?? 0);
    const before = await retries();
    await act(`/tasks/${body.id}/resume`);
    expect(await retries()).toBe(before + 1);
    await act(`/tasks/${body.id}/cancel`);
    // The fork of the test before may wait for the queue's next look.
    await expect.poll(metrics, { timeout: 10_000 }).toMatch(/^council_tasks_queued 0$/m);
  });

  test("[TS-restart] [TS-budget] [TS-rate] a task goes on after a restart, within the budget of the day and whatever the rate limit", async () => {
    const { body } = await act("/tasks", hanoiTask(6, { k: 2 }));
    await untilStep(body.id, 10);
    // What tasks have spent today is known after a restart: the budget of ten calls is spent, though no run was made.
    await server.close(1000);
    await start({ MCI_DAILY_MAX_CALLS: "10" });
    const refused = await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" });
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining("daily_budget_exhausted"),
    ]);
    const paused = await until(body.id, "complete", "failed", "paused");
    expect(paused).toMatchObject({ status: "paused", error: { code: "budget" } });
    expect(paused.error.message).toContain("MCI_DAILY_MAX_CALLS");
    // Fifty steps, where a client may send ten requests.
    await server.close(1000);
    await start({ MCI_RATE_LIMIT: "10" });
    await act(`/tasks/${body.id}/resume`);
    const headers = { "last-event-id": String(paused.step) };
    const events = parseEvents(await (await fetch(`${url}/tasks/${body.id}/events`, { headers })).text());
    expect(JSON.parse(events.at(-1)!.data)).toMatchObject({
      type: "task.end",
      task: { status: "complete", step: 63 },
    });
    // More at once than the limit, however long the task took.
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${url}/tasks`)).status),
    );
    expect(statuses).toContain(429);
  });
});
