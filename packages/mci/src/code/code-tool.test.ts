import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serve } from "../../../../test/servers.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MCIClient } from "../client.ts";
import type { ExecutionResult } from "../result.ts";
import { type CodeToolOptions, codeTool } from "./code-tool.ts";
import { describePlan } from "./plan/plan.ts";

vi.setConfig({ testTimeout: 30_000 });

// A tracker of issues over real HTTP: every change that reaches it is an effect.
interface Effect {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}
const effects: Effect[] = [];
let status = 200;
let url: string;
let client: MCIClient;
const env = { TOKEN: "t0p-secret-token" };

const input = (name: string) => ({
  inputSchema: { type: "object", properties: { [name]: { type: "integer" } }, required: [name] },
});

beforeAll(async () => {
  ({ url } = await serve(async (request, response) => {
    if (request.method === "GET")
      return void response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ open: [1, 2, 3] }));
    effects.push({
      path: request.url!,
      key: request.headers["idempotency-key"] as string,
      body: await bodyOf(request),
    });
    response.statusCode = status;
    response.setHeader("content-type", "application/json").end('{"id":99}');
  }, afterAll));
  const http = (more: object) => ({
    type: "http",
    auth: { type: "bearer", token: "{{env.TOKEN}}" },
    ...more,
  });
  client = await MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      tools: [
        {
          name: "list_issues",
          description: "List open issues",
          annotations: { readOnlyHint: true },
          execution: http({ url: `${url}/issues` }),
        },
        {
          name: "close_issue",
          description: "Closes an issue",
          ...input("number"),
          idempotency: { header: "Idempotency-Key" },
          execution: http({
            method: "POST",
            url: `${url}/issues/{{props.number}}/close`,
            body: { type: "json", content: { by: "{{props.number}}" } },
          }),
        },
        {
          name: "comment",
          description: "Comments on an issue",
          ...input("number"),
          execution: http({ method: "POST", url: `${url}/issues/{{props.number}}/comments` }),
        },
      ],
    },
    { env },
  );
});
afterAll(async () => {
  await client.close();
});
beforeEach(() => {
  effects.length = 0;
  status = 200;
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = (await request.toArray()).join("");
  return text === "" ? undefined : JSON.parse(text);
}

function open(options: CodeToolOptions = {}) {
  const plans = temporaryFolder();
  return { plans, code: codeTool(client, { plans, approvePlan: () => true, ...options }) };
}

const CLOSE_ALL = `const { open } = await tools.list_issues();
for (const number of open) await tools.close_issue({ number });
return open.length;`;
const planOf = (result: ExecutionResult) => result.metadata["plan_id"] as string;

test("[S-plan] reads run, writes become a plan of exact requests, and nothing changes before the commit", async () => {
  const { code, plans } = open();
  const result = await code.call("run_code", { code: CLOSE_ALL });
  expect(effects).toEqual([]);
  expect(result.text).toMatch(
    /^3\n\nPlan plan-[0-9a-f]{32}: 3 x close_issue\. Nothing was changed yet\.\n1\. close_issue: POST http:.*\/issues\/1\/close {"by":"?1"?}/,
  );
  const plan = await code.plan(planOf(result));
  expect(plan.entries.map(({ tool, input }) => [tool, input])).toEqual(
    [1, 2, 3].map((number) => ["close_issue", { number }]),
  );
  expect(JSON.stringify(plan)).not.toContain(env.TOKEN);
  expect(readdirSync(plans)).toEqual([`${plan.id}.json`]);

  const committed = await code.call("commit_plan", { plan_id: plan.id });
  expect(committed.text).toContain("All 3 writes are done.");
  expect(effects.map(({ path }) => path)).toEqual([1, 2, 3].map((number) => `/issues/${number}/close`));
  expect(effects.map(({ key }) => key)).toEqual(plan.entries.map(({ idempotencyKey }) => idempotencyKey));
  // Again: what is done stays done.
  expect((await code.call("commit_plan", { plan_id: plan.id })).isError).toBe(false);
  expect(effects).toHaveLength(3);
});

test.each([
  ["an input", (text: string) => text.replace('"number": 2', '"number": 7')],
  ["a request", (text: string) => text.replace("/issues/2/", "/issues/8/")],
  [
    "an entry more",
    (text: string) =>
      text.replace(
        '"entries": [',
        '"entries": [{"number":0,"tool":"comment","input":{"number":1},"request":{},"digest":"","idempotencyKey":"x"},',
      ),
  ],
  ["a key", (text: string) => text.replace(/("idempotencyKey": ")./, "$1!")],
  ["the time", (text: string) => text.replace(/("createdAt": "2)/, "$19")],
  ["no JSON", (text: string) => text.slice(1)],
])("[S-plan-changed] a plan of which %s was edited is refused", async (_, edit) => {
  const { code, plans } = open();
  const id = planOf(await code.call("run_code", { code: CLOSE_ALL }));
  const file = join(plans, `${id}.json`);
  const before = readFileSync(file, "utf8");
  expect(edit(before)).not.toBe(before);
  writeFileSync(file, edit(before));
  const result = await code.call("commit_plan", { plan_id: id });
  expect(result.metadata["error_code"]).toBe("plan_changed");
  expect(effects).toEqual([]);
});

test("[S-plan-changed] a plan whose tool has changed since is refused", async () => {
  const { code, plans } = open();
  const id = planOf(await code.call("run_code", { code: CLOSE_ALL }));
  const changed = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      {
        ...client.tool("close_issue"),
        execution: { type: "http", method: "DELETE", url: "http://127.0.0.1:1/{{props.number}}" },
      },
    ],
  });
  onTestFinished(() => changed.close());
  await expect(codeTool(changed, { plans }).commit(id)).rejects.toThrow("would not send what the plan shows");
  for (const wrong of ["../secrets", "plan-x", ""])
    expect((await code.call("commit_plan", { plan_id: wrong })).metadata["error_code"]).toBe(
      "plan_not_found",
    );
  expect(effects).toEqual([]);
});

test("[S-plan-approve] one approval sees the whole plan; without it nothing happens", async () => {
  const shown: number[] = [];
  const { code } = open({
    approvePlan: ({ entries }) => (shown.push(entries.length) > 0 ? "not on Fridays" : true),
  });
  const id = planOf(await code.call("run_code", { code: CLOSE_ALL }));
  const refused = await code.call("commit_plan", { plan_id: id });
  expect(refused.text).toContain("not on Fridays");
  expect(shown).toEqual([3]);
  const unasked = open({ approvePlan: undefined });
  const other = planOf(await unasked.code.call("run_code", { code: CLOSE_ALL }));
  expect((await unasked.code.call("commit_plan", { plan_id: other })).metadata["error_code"]).toBe(
    "plan_not_approved",
  );
  expect(effects).toEqual([]);
  expect((await unasked.code.commit(other)).complete).toBe(true);
});

test("[S-plan-approve] what a person approves has every write on one line, in characters that show", () => {
  const request = (url: string, body?: string) =>
    ({ type: "http", method: "POST", url, headers: {}, ...(body === undefined ? {} : { body }) }) as never;
  const entry = (number: number, one: never) => ({
    number,
    tool: "post",
    input: {},
    request: one,
    digest: "",
    idempotencyKey: "",
  });
  const hostile = "hello\n2. get: nothing to see\u202e\u001b[2K\u2028";
  const plan = (entries: readonly ReturnType<typeof entry>[]) => ({
    id: "plan-1",
    createdAt: "",
    digest: "",
    entries,
  });
  const [, first, ...rest] = describePlan(plan([entry(1, request("http://a/1", hostile))])).split("\n");
  expect(first).toBe("1. post: POST http://a/1 hello\\n2. get: nothing to see\\u{202e}\\u{1b}[2K\\u{2028}");
  expect(rest).toEqual([]);
  const many = Array.from({ length: 300 }, (_, i) =>
    entry(i + 1, request(`http://a/${"x".repeat(900)}/${i + 1}`)),
  );
  const text = describePlan(plan(many));
  for (const number of [1, 150, 300])
    expect(text).toMatch(new RegExp(`\\n${number}\\. post: POST http.*characters.*/${number}(\\n|$)`));
  expect(text.length).toBeLessThan(40_000);
});

test("[S-plan-cut] code that needs the result of a write stops there, whatever it catches", async () => {
  const { code } = open();
  const uses = await code.call("run_code", {
    code: "const made = await tools.comment({ number: 1 });\nawait tools.close_issue({ number: made.id });",
  });
  expect(uses.isError).toBe(false);
  expect(uses.text).toContain("The code stopped at line 2, column");
  expect((await code.plan(planOf(uses))).entries).toHaveLength(1);
  const catches = await code.call("run_code", {
    code: "const made = await tools.comment({ number: 1 });\ntry { made.id } catch {}\nawait tools.comment({ number: 2 });",
  });
  expect(catches.text).toContain("The code stopped before");
  expect((await code.plan(planOf(catches))).entries).toHaveLength(1);
  const waits = await code.call("run_code", {
    code: "await tools.comment({ number: 1 });\nawait untilCommitted();\nawait tools.comment({ number: 2 });",
  });
  expect(waits.text).toContain("What follows waits until the plan is committed.");
  expect((await code.plan(planOf(waits))).entries).toHaveLength(1);
  const read = await code.call("run_code", {
    code: "await tools.comment({ number: 1 }); await tools.list_issues({}); return 1",
  });
  expect(read.text).toContain("saw the state before it: list_issues");
  expect(effects).toEqual([]);
});

test("[S-plan-unknown] a write of unknown outcome stops the commit, and is not repeated without a key", async () => {
  const { code } = open();
  const id = planOf(
    await code.call("run_code", { code: "for (const number of [1, 2, 3]) await tools.comment({ number })" }),
  );
  status = 503;
  const report = await code.commit(id);
  expect(report.entries.map(({ state }) => state)).toEqual(["unknown", "not_started", "not_started"]);
  status = 200;
  expect((await code.commit(id)).entries.map(({ state }) => state)).toEqual([
    "unknown",
    "not_started",
    "not_started",
  ]);
  expect(effects).toHaveLength(1);
  // A person has looked: it had taken effect.
  expect((await code.commit(id, { resolve: { 1: "done" } })).complete).toBe(true);
  expect(effects.map(({ path }) => path)).toEqual([1, 2, 3].map((number) => `/issues/${number}/comments`));
});

test("[S-plan-unknown] with a key the same request is sent again, for the service to recognize", async () => {
  const { code } = open();
  const id = planOf(await code.call("run_code", { code: "await tools.close_issue({ number: 1 })" }));
  status = 503;
  expect((await code.commit(id)).entries[0]?.state).toBe("unknown");
  status = 200;
  expect((await code.commit(id)).complete).toBe(true);
  expect(new Set(effects.map(({ key }) => key)).size).toBe(1);
});

test("[S-code-writes] refuse: only reads; direct: writes at once, each approved", async () => {
  const refusing = codeTool(client, { writes: "refuse" });
  expect(refusing.toolDefinitions().map(({ name }) => name)).toEqual(["search_tools", "run_code"]);
  const refused = await refusing.call("run_code", { code: "await tools.comment({ number: 1 })" });
  expect(refused.text).toMatch(/ToolError \(write_refused\) at line 1/);
  const direct = codeTool(client, {
    writes: "direct",
    approve: (_, { number }) => number === 1 || "only the first",
  });
  const result = await direct.call("run_code", {
    code: "await tools.comment({ number: 1 }); await tools.comment({ number: 2 })",
  });
  expect(result.text).toContain("only the first");
  expect(effects.map(({ path }) => path)).toEqual(["/issues/1/comments"]);
  expect(() => codeTool(client, { writes: "plan" })).toThrow("'plans' must be a folder");
  expect(() => codeTool(client, { writes: "refuse", pin: ["comment"] })).toThrow(
    "would write without a plan",
  );
});

test("[S-code-writes] filters, secrets and input checks hold inside", async () => {
  const { code } = open({ filter: { without: ["comment"] } });
  const hidden = await code.call("run_code", { code: "await tools.comment({ number: 1 })" });
  expect(hidden.text).toContain("tool_not_found");
  const wrong = await code.call("run_code", { code: "await tools.close_issue({ number: 'many' })" });
  expect(wrong.text).toContain("number: must be integer");
  const all = await code.call("run_code", { code: "return await tools.list_issues({})" });
  expect(all.text).not.toContain(env.TOKEN);
});

test("[S-code-types] a search declares what it found as TypeScript", async () => {
  const { code } = open();
  const found = await code.call("search_tools", { query: "close an issue", limit: 1 });
  expect(found.text).toBe(
    "declare const tools: {\n  /** Closes an issue Writes. */\n  close_issue(input: CloseIssueInput): Promise<any>;\n};\ntype CloseIssueInput = {\n  number: number;\n};\n".replaceAll(
      "\\\n",
      "\n",
    ),
  );
});

test("[S-plan-caller] code calls tools for its caller; the plan is that caller's, and no other commits it", async () => {
  const { code } = open();
  const greeting = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      {
        name: "whoami",
        annotations: { readOnlyHint: true },
        execution: { type: "text", text: "{{caller.sub}}" },
      },
      {
        name: "sign",
        execution: { type: "http", method: "POST", url: `${url}/issues/1/comments?by={{caller.sub}}` },
      },
    ],
  });
  const plans = temporaryFolder();
  onTestFinished(() => greeting.close());
  const own = codeTool(greeting, { plans, approvePlan: () => true });
  const ann = { caller: { sub: "ann" } };
  const bob = { caller: { sub: "bob" } };
  expect((await own.call("run_code", { code: "return await tools.whoami()" }, ann)).text).toBe('"ann"');
  const id = planOf(await own.call("run_code", { code: "await tools.sign()" }, ann));
  const plan = await own.plan(id);
  expect(plan).toMatchObject({
    caller: "ann",
    entries: [{ request: { url: `${url}/issues/1/comments?by=ann` } }],
  });
  for (const options of [bob, {}]) {
    const refused = await own.call("commit_plan", { plan_id: id }, options);
    expect(refused.metadata["error_code"]).toBe("plan_not_approved");
    await expect(own.commit(id, options)).rejects.toThrow("made for another caller");
  }
  expect(effects).toEqual([]);
  expect((await own.call("commit_plan", { plan_id: id }, ann)).text).toContain("All 1 writes are done.");
  expect(effects).toHaveLength(1);
  // A plan without a caller is not a caller's.
  const unbound = planOf(await code.call("run_code", { code: "await tools.comment({ number: 1 })" }));
  await expect(code.commit(unbound, ann)).rejects.toThrow("made for no caller");
});
