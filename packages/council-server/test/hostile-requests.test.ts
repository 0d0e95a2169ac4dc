import { createServer } from "node:http";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { BLOCK_METER, leastBlock, longestBlock } from "../../../test/hostile/block-meter.ts";
import { listen } from "../../../test/servers.ts";
import { AGENT_REQUESTS, type HostileRequest, WARM_UP_AGENTS } from "./hostile-agents.ts";
import { type Started, startProcess } from "./process.ts";

/** `npm run hostile` prints what each request takes. */
const isVerbose = process.env["MCI_HOSTILE"] !== undefined;

/** While the service is blocked `/healthz` does not respond. */
const MAX_BLOCK_MS = 100;

const SIZE = 900_000;
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const list = (items: unknown) => object({ list: { type: "array", items } });
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const doubled = many(40, () => "[@, @]").join(" | ");
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const UNITS = [
  ...[
    "a ",
    "1. ",
    "or ",
    "A or B, ",
    "- x\n",
    "(",
    "[",
    "```\n",
    "step 1: ",
    "\\frac{",
    "**",
    '"',
    "\\",
    "1,",
    "0.",
    "\u0301e",
    " ",
    "?",
  ],
  ...[
    "which of a, b, ",
    "A) x ",
    "\n",
    "\u3002",
    "\u6216\u8005",
    "\u06cc\u0627 ",
    "x=",
    "yes no ",
    "<b>",
    "&amp;",
    "is it true that ",
    "1e9 ",
    "Option 1: ",
  ],
];

/** What the provider replies to a request with such a prompt. */
const REPLIES: Readonly<Record<string, unknown>> = {
  "many items": { list: many(8000, () => ({ x: 1 })) },
  "long texts": { list: many(300, () => "a".repeat(1900)) },
  "one text": { list: ["a".repeat(800_000)] },
  "many keys": Object.fromEntries(many(4000, (i) => [`${"a".repeat(50)}${i}`, "a"])),
  deep: JSON.parse(nested(2000)),
};

const ask = (prompt: string, config: object = {}, more: object = {}): HostileRequest => ({
  path: "/mcp/model",
  body: JSON.stringify({ prompt, config: { k: 1, max_samples: 2, ...config }, ...more }),
});
const task = (step: object, more: object = {}): HostileRequest => ({
  path: "/tasks",
  body: JSON.stringify({
    kind: "steps",
    state: { n: 1, list: many(5000, (i) => i) },
    step: {
      prompt: "Task {{state.n}}",
      answer: object({ n: { type: "integer" } }),
      next: "{ n: answer.n }",
      ...step,
    },
    until: "state.n > `1`",
    ...more,
  }),
});
const rpc = (method: string, params: unknown): HostileRequest => ({
  path: "/mcp",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  headers: { accept: "application/json, text/event-stream" },
});

const REQUESTS: Readonly<Record<string, HostileRequest>> = {
  "JSON that is deep": { path: "/mcp/model", body: `{"prompt": ${nested(SIZE / 2)}}` },
  "JSON with many keys": {
    path: "/mcp/model",
    body: JSON.stringify(Object.fromEntries(many(60_000, (i) => [`k${i}`, i]))),
  },
  "JSON with one key many times": {
    path: "/mcp/model",
    body: `{${'"prompt":1,'.repeat(80_000)}"prompt":"x"}`,
  },
  "JSON with long numbers": { path: "/mcp/model", body: `{"prompt": ${"9".repeat(SIZE)}}` },
  "JSON that is cut off": { path: "/mcp/model", body: `{"prompt": "${"\\u00e9".repeat(SIZE / 6)}` },
  "a list of lists": {
    path: "/mcp/model",
    body: `{"prompt":"x","context":{"history":[${"[],".repeat(300_000)}[]]}}`,
  },
  "a list of almost too many lists": {
    path: "/mcp/model",
    body: `{"prompt":"x","context":{"history":[${"[],".repeat(9_900)}[]]}}`,
  },
  "a long prompt for many voters": ask("x ".repeat(SIZE / 2), { k: 10, max_samples: 20, speculation: 25 }),
  "a long prompt for a council": {
    path: "/mcp/model",
    body: JSON.stringify({
      prompt: "x ".repeat(SIZE / 2),
      intent: "decision",
      config: { num_voters: 10 },
    }),
  },
  "context with many keys": ask(
    "x",
    {},
    { context: Object.fromEntries(many(40_000, (i) => [`k${i}`, "v"])) },
  ),
  "a long idempotency key": { ...ask("x"), headers: { "idempotency-key": "k".repeat(12_000) } },
  "an idempotency key of brackets": {
    ...ask("x"),
    headers: { "idempotency-key": `"${"\\".repeat(10_000)}` },
  },
  "many cookies": { ...ask("x"), headers: { cookie: "a=b; ".repeat(3000) } },
  "a long Accept": { ...ask("x"), headers: { accept: "text/*;q=0.1,".repeat(1000) } },
  "a schema with 1,900 alternatives": ask("many items", {
    answer_schema: list({ anyOf: many(1900, (i) => ({ required: [`k${i}`] })) }),
  }),
  "a schema with a pattern of groups": ask("long texts", {
    answer_schema: list({ type: "string", pattern: "^(a|a){60}$" }),
  }),
  "a schema with nested quantifiers": ask("long texts", {
    answer_schema: list({ type: "string", pattern: "^((a+)+)+$" }),
  }),
  "a schema with a slow pattern": ask("long texts", {
    answer_schema: list({ type: "string", pattern: "^(?:a?){60}a{60}b$" }),
  }),
  "a schema with a format": ask("one text", { answer_schema: list({ type: "string", format: "email" }) }),
  "a deep answer": ask("deep", { answer_schema: object({ list: {} }) }),
  "a schema that is large": ask("x", {
    answer_schema: object(Object.fromEntries(many(1900, (i) => [`p${i}`, { type: "string" }]))),
  }),
  "messages without end": {
    path: "/v1/chat/completions",
    body: JSON.stringify({
      model: "vote",
      messages: many(20_000, (i) => ({ role: i % 2 ? "assistant" : "user", content: "x" })),
    }),
  },
  "a message of many parts": {
    path: "/v1/chat/completions",
    body: JSON.stringify({
      model: "vote",
      messages: [{ role: "user", content: many(20_000, () => ({ type: "text", text: "x" })) }],
    }),
  },
  "a format with a large schema": {
    path: "/v1/chat/completions",
    body: JSON.stringify({
      model: "vote",
      messages: [{ role: "user", content: "many items" }],
      response_format: {
        type: "json_schema",
        json_schema: { name: "x", schema: list({ oneOf: many(1900, (i) => ({ required: [`k${i}`] })) }) },
      },
    }),
  },
  ...AGENT_REQUESTS,
  "an MCP call with a large input": rpc("tools/call", {
    name: "consult_council",
    arguments: { prompt: "or ".repeat(SIZE / 4) },
  }),
  "an MCP call with many arguments": rpc("tools/call", {
    name: "consult_council",
    arguments: Object.fromEntries(many(40_000, (i) => [`k${i}`, i])),
  }),
  "an MCP request with a long method": rpc("x".repeat(SIZE), {}),
  "an MCP batch": {
    path: "/mcp",
    body: `[${many(10_000, (i) => `{"jsonrpc":"2.0","id":${i},"method":"ping"}`).join(",")}]`,
    headers: { accept: "application/json, text/event-stream" },
  },
  "a task whose expression doubles": task({ next: `{ n: answer.n, x: ${doubled} }` }),
  "a task whose condition doubles": task({}, { until: `length(to_string(${doubled})) > \`1\`` }),
  "a task whose checks are slow": task(
    {},
    { checks: many(20, () => "length(state.list[?contains(to_string(@), '9')]) > `99999`") },
  ),
  "a task whose template loops": task({
    prompt: "@for(a in range(0, 100000))@for(b in range(0, 100000))x@endfor@endfor",
  }),
  "a task whose expression is deep": task({ next: "(".repeat(9000) }),
  ...Object.fromEntries(
    UNITS.map((unit, i) => [
      `an answer of ${JSON.stringify(unit)}`,
      ask(`answer ${i}.`, { k: 2 }, { intent: "validation" }),
    ]),
  ),
  ...Object.fromEntries(
    UNITS.map((unit) => [`a prompt of ${JSON.stringify(unit)}`, ask(unit.repeat(SIZE / 3 / unit.length))]),
  ),
};

let service: Started;
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString("utf8");
    const found = Object.keys(REPLIES).find((name) => text.includes(name));
    const [, echo] = /answer (\d+)\./.exec(text) ?? [];
    const plain = echo === undefined ? "x" : UNITS[Number(echo)]!.repeat(40_000);
    const answer = found === undefined ? (text.includes("Task") ? { n: 1 } : plain) : REPLIES[found];
    const content = JSON.stringify({ rationale: "r", answer });
    const tool_calls = [
      {
        id: "1",
        type: "function",
        function: { name: "hostile", arguments: JSON.stringify({ cmd: answer, list: answer }) },
      },
    ];
    const called = text.includes('"name":"hostile"') ? { content: null, tool_calls } : { content };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...called } }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      }),
    );
  });
});
const { url: providerUrl } = await listen(provider, afterAll);

// Another attempt at the test gets another process.
beforeEach(async () => {
  service = await startProcess({
    MAKER_API_URL: `${providerUrl}/v1`,
    MAKER_API_MODEL: "m",
    MCI_RATE_LIMIT: "0",
    ...BLOCK_METER,
  });
});
// Its database ends with it.
afterEach(async () => {
  service.child.kill("SIGTERM");
  await service.exited;
}, 30_000);

/** The longest time that the service is blocked while it serves a request, and the status of its response. */
async function serve({ path, body, headers = {} }: HostileRequest) {
  await longestBlock(service);
  const response = await fetch(new URL(path, service.url), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.text();
  if (response.status === 202) await untilTaskRests(response.headers.get("location")!);
  const health = await fetch(`${service.url}/healthz`);
  expect(health.status).toBe(200);
  return { status: response.status, blockMs: await longestBlock(service) };
}

/** A task goes on after the response. One that does not end is cancelled. */
async function untilTaskRests(location: string): Promise<void> {
  const task = new URL(location, service.url);
  for (let i = 0; i < 15; i++) {
    const { status } = (await (await fetch(task)).json()) as { status: string };
    if (status !== "queued" && status !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await fetch(`${task}/cancel`, { method: "POST" });
}

test("[V-hostile] no request blocks the service for 100 ms, so that /healthz responds", async () => {
  // The first of each kind loads code.
  for (const request of [
    ask("warm up"),
    ask("warm up", { answer_schema: list({ pattern: "(a|a){60}" }) }),
    task({}),
    ...WARM_UP_AGENTS,
    rpc("ping", {}),
  ])
    await serve(request);
  const slow: string[] = [];
  // All of them take half a minute.
  const requests = Object.entries(REQUESTS).filter(
    ([name], i) => isVerbose || !name.includes(' of "') || i % 8 === 0,
  );
  for (const [name, request] of requests) {
    const started = performance.now();
    const { blockMs, status } = await leastBlock(() => serve(request), MAX_BLOCK_MS);
    if (isVerbose)
      console.log(`| ${name} | ${status} | ${blockMs} ms | ${Math.round(performance.now() - started)} |`);
    if (blockMs > MAX_BLOCK_MS) slow.push(`${name}: ${blockMs} ms`);
  }
  expect(slow).toEqual([]);
}, 300_000);
