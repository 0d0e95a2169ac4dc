import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { program } from "../../../test/programs/programs.ts";
import { freePort } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { EXAMPLE_TASK } from "../../council/src/tasks/example-task.ts";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { copyCluster } from "../../council-postgres/test/cluster.ts";
import { readConfig } from "../src/config/config.ts";
import { openModels } from "../src/providers/models.ts";
import { type CouncilServer, serve } from "../src/server.ts";
import { runTask } from "../src/task-command/command.ts";
import { runSchedule } from "../src/task-command/schedule-command.ts";
import { parseEvents, post } from "./harness.ts";
import { checker } from "./openapi-checker.ts";

const dir = temporaryFolder({}, afterAll);
const WEBHOOK_SECRET = "a-secret-of-some-length";
const WEBHOOK_PORT = await freePort();
const env = {
  MCI_WEBHOOK_HOSTS: `127.0.0.1:${WEBHOOK_PORT}`,
  MCI_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PORT: "0",
  MCI_DETECT_LOCAL: "0",
  MCI_DATA_DIR: dir,
};
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
afterAll(() => server.close());

/** Every response is also checked against /openapi.json. */
async function ask(method: "get" | "post" | "put" | "delete", path: string, request: Promise<Response>) {
  const response = await request;
  const text = await response.text();
  const template = path
    .replace(/\?.*/, "")
    .replace(/^\/tasks\/(?!actions$)[^/]+/, "/tasks/{id}")
    .replace(/^\/schedules\/[^/]+/, "/schedules/{name}")
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
const put = async (path: string, sent: unknown) => {
  const { status, text } = await ask("put", path, post(`${url}${path}`, sent, { method: "PUT" }));
  return { status, body: JSON.parse(text) };
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
    expect(await get("/schedules")).toEqual({ schedules: [] });
    expect(await get("/schedules/none")).toMatchObject({ error: { code: "not_found" } });
    expect((await put("/schedules/nightly", { cron: "0 3 * * *", task: {} })).status).toBe(400);
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
    // What the models were asked and replied stands beside the question to a person; lists leave it out.
    const [undecided] = paused.undecided!;
    expect(undecided).toMatchObject({ step: 2, k: 3, prompt: "The number is 66. Which one follows?" });
    expect(Object.keys(undecided!.votes).length).toBeGreaterThan(1);
    expect(undecided!.samples).toMatch(/^\[#1 vote .*: accepted\]/);
    const waiting = await get("/tasks?waiting=true");
    expect(waiting.tasks.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    expect(waiting.tasks[0].undecided).toBeUndefined();
    expect((await act(`/tasks/${body.id}/steps/2`, { answer: { n: "x" } })).status).toBe(400);
    expect((await act(`/tasks/${body.id}/steps/2`, { answer: { n: 67 } })).status).toBe(200);
    expect(await until(body.id, "paused", "complete")).toMatchObject({ status: "complete", step: 3 });
    const { steps } = await get(`/tasks/${body.id}/steps?from=2&limit=1`);
    expect(steps).toMatchObject([{ step: 2, answer: { n: 67 }, by: "person" }]);
    expect((await get("/tasks?waiting=true")).tasks).toEqual([]);
    expect(await get(`/tasks/${body.id}/strip?parts=2`)).toMatchObject({
      ...{ from: 1, to: 3, size: 2 },
      parts: [
        { from: 1, to: 2, contested: 0, decided_at: expect.any(String) },
        { from: 3, to: 3, contested: 0, decided_at: expect.any(String) },
      ],
    });
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
      const main = program("packages/council-server", "main.js");
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

  test("[TS-bulk] many tasks are counted, acted on and deleted by filter; the command does the same", async () => {
    const started = await Promise.all(
      [1, 2, 3].map((n) => act("/tasks", { ...hanoiTask(10, { k: 2 }), name: `batch ${n}` })),
    );
    const ids = started.map(({ body }) => body.id as string);
    const filter = { name: "batch" };
    expect((await act("/tasks/actions", { action: "pause", filter, dry_run: true })).body).toEqual({
      action: "pause",
      matched: 3,
    });
    expect((await act("/tasks/actions", { action: "pause", ids })).body).toMatchObject({ done: 3 });
    for (const id of ids) await until(id, "paused");
    expect((await command("retry", "--name", "batch")).out).toBe("retry: 3 tasks, 0 refused\n");
    expect((await command("delete", "--name", "batch", "--dry-run")).out).toContain("3 tasks");
    const refused = await command("delete", "--name", "batch");
    expect([refused.code, refused.out]).toEqual([2, expect.stringContaining("delete: 0 tasks, 3 refused")]);
    expect(await command("cancel", "--name", "batch", "--json")).toMatchObject({ code: 0 });
    expect((await command("list", "--name", "batch", "--status", "cancelled")).out.split("\n")).toHaveLength(
      4,
    );
    const gone = await ask(
      "delete",
      `/tasks/${ids[0]}`,
      fetch(`${url}/tasks/${ids[0]}`, { method: "DELETE" }),
    );
    expect([gone.status, JSON.parse(gone.text)]).toEqual([200, { id: ids[0], status: "deleted" }]);
    expect((await command("delete", ids[1]!)).out).toBe(`${ids[1]}  deleted\n`);
    await expect(command("retry", ids[2]!)).rejects.toThrow("409: The task is cancelled");
    expect((await act(`/tasks/${ids[2]}/retry`)).status).toBe(409);
    expect((await get("/tasks?name=batch")).tasks).toHaveLength(1);
    expect((await act("/tasks/actions", { action: "pause" })).status).toBe(400);
    await expect(command("cancel")).rejects.toThrow("task run FILE");
    await expect(command("cancel", "--status", "done")).rejects.toThrow("--status must be one of");
  });

  test("[TS-webhook] a receiver gets the task when it ends, signed; a host that is not allowed is refused", async () => {
    const { status, body } = await act("/tasks", { ...COUNT, webhook: "https://example.com/done" });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("MCI_WEBHOOK_HOSTS")]);
    const received: { id: unknown; signature: unknown; body: { type: string; data: object } }[] = [];
    const receiver = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = request.headers;
      const expected = createHmac("sha256", WEBHOOK_SECRET).update(`${id}.${at}.${text}`).digest("base64");
      received.push({ id, signature: signature === `v1,${expected}`, body: JSON.parse(text) });
      response.writeHead(received.length === 1 ? 503 : 204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(WEBHOOK_PORT, "127.0.0.1", resolve));
    const created = await act("/tasks", { ...COUNT, webhook: `http://127.0.0.1:${WEBHOOK_PORT}/done` });
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2);
    receiver.close();
    expect(received[0]!.id).toBe(received[1]!.id);
    expect(received[1]).toMatchObject({
      signature: true,
      body: { type: "task.completed", data: { id: created.body.id, status: "complete", result: { n: 3 } } },
    });
  });

  test("[TS-schedule] a schedule is stored, tried out, paused and deleted over HTTP and by the command; a mistake names the field", async () => {
    const nightly = { cron: "0 3 * * 1-5", timezone: "Europe/Zurich", task: COUNT };
    const stored = await put("/schedules/nightly", nightly);
    expect(stored).toMatchObject({
      status: 200,
      body: {
        ...nightly,
        name: "nightly",
        status: "active",
        overlap: "skip",
        catch_up: false,
        last_time: null,
      },
    });
    const started = await act("/schedules/nightly/start");
    expect(started).toMatchObject({ status: 202, location: `/tasks/${started.body.id}` });
    expect(await until(started.body.id, "complete")).toMatchObject({ schedule: "nightly", result: { n: 3 } });
    expect(await act("/schedules/nightly/pause")).toMatchObject({ body: { status: "paused" } });
    expect(await act("/schedules/nightly/resume")).toMatchObject({ body: { status: "active" } });
    expect(await get("/schedules/nightly")).toMatchObject({
      last_task: { id: started.body.id, status: "complete" },
    });

    for (const [path, body] of [
      ["cron", { ...nightly, cron: "every day" }],
      ["cron", { ...nightly, cron: "61 * * * *" }],
      ["cron", { ...nightly, cron: "* * * * * *" }],
      ["timezone", { ...nightly, timezone: "Mars/Olympus" }],
      ["task.until", { ...nightly, task: { ...COUNT, until: "state.n >=" } }],
      ["task.webhook", { ...nightly, task: { ...COUNT, webhook: "https://example.com/" } }],
    ] as const) {
      const refused = await put("/schedules/broken", body);
      expect([refused.status, refused.body.error.details[0].path], path).toEqual([400, path]);
    }
    expect((await put("/schedules/two%20words", nightly)).status).toBe(400);

    const file = join(dir, "schedule.json");
    writeFileSync(file, JSON.stringify(nightly));
    const command = async (...args: string[]) => {
      let out = "";
      await runSchedule([...args, "--url", url], {}, { write: (text) => (out += text) });
      return out;
    };
    expect(await command("put", "weekly", file)).toMatch(
      /^weekly {2}active {2}0 3 \* \* 1-5 \(Europe\/Zurich\) {2}never/,
    );
    expect(await command("pause", "weekly")).toContain("weekly  paused");
    expect(
      (await command("list", "--json"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).name),
    ).toEqual([...["nightly", "weekly"]]);
    expect(await command("start", "weekly")).toMatch(/^[0-9a-f]{20} {2}/);
    expect(await command("delete", "weekly")).toBe("weekly  deleted\n");
    await expect(command("show", "weekly")).rejects.toThrow('404: There is no schedule "weekly"');
    await expect(command("put", "weekly")).rejects.toThrow("schedule put NAME FILE");
    const path = "/schedules/nightly";
    const gone = await ask("delete", path, fetch(`${url}${path}`, { method: "DELETE" }));
    expect(JSON.parse(gone.text)).toEqual({ name: "nightly", status: "deleted" });
  });

  test("every endpoint of tasks is documented, and was checked against its documentation", async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      /^\/(tasks|schedules)/.test(path) ? Object.keys(methods).map((method) => `${method} ${path}`) : [],
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
    for (const line of [
      /^council_task_idle_seconds [\d.]+$/m,
      /^council_task_queue_age_seconds 0$/m,
      /^council_task_webhooks_pending 0$/m,
      /^council_instances_lost_total\{part="tasks"\} 0$/m,
      /^council_database_waiting\{part="tasks"\} \d+$/m,
    ])
      expect(await metrics()).toMatch(line);
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
