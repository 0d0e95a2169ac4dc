import { createServer, request as forward } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../../test/servers.ts";
import { createTestDatabase } from "../../council-postgres/test/database.ts";
import { type FakeProvider, startFakeProvider } from "../../fake-provider/src/server.ts";
import { readConfig } from "../src/config/config.ts";
import { type CouncilServer, serve } from "../src/server.ts";
import { eventually } from "./eventually.ts";
import { parseEvents, post, readEvents, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const slow = { behaviour: { truth: "Paris", latency: { median_ms: 300 } } };
const question = { prompt: "What is the capital of France?" };

let databaseUrl: string;
let database: pg.Client;
let sim: FakeProvider;
/** Two instances with one provider and one database, for all tests. */
let first: CouncilServer;
let second: CouncilServer;
const settings = () => ({ MAKER_API_URL: sim.url, MAKER_API_MODEL: "sim", DATABASE_URL: databaseUrl });
beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  sim = await startFakeProvider(slow);
  const config = readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", ...settings() });
  first = await serve(config, { log: () => {} });
  second = await serve(config, { log: () => {} });
});
// Its counts begin again, too.
beforeEach(() => sim.script(slow));
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await sim.close();
  await database.end();
});

/** Sends each request to the next instance, as a load balancer without affinity does. */
async function startProxy(targets: readonly string[]): Promise<string> {
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? "/", targets[turn++ % targets.length]);
    const headers = { ...incoming.headers, host: target.host };
    const sent = forward(target, { method: incoming.method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  return (await listen(proxy, afterAll)).url;
}

async function startInBackground(url: string, key?: string): Promise<string> {
  const response = await post(`${url}/mcp/model`, question, {
    headers: { prefer: "respond-async", ...(key ? { "idempotency-key": key } : {}) },
  });
  expect(response.status).toBe(202);
  return (await readJson(response)).id;
}

describe("instances that share a database", () => {
  it("show and stream each other's runs while they are in flight [H-events]", async () => {
    // Long enough to be in flight on a busy machine.
    sim.script({ behaviour: { ...slow.behaviour, latency: { median_ms: 2000 } } });
    const id = await startInBackground(first.url);
    expect(first.service.live(id)).toBeDefined();
    expect(second.service.live(id)).toBeUndefined();
    expect(await readJson(await fetch(`${second.url}/runs/${id}`))).toMatchObject({ status: "running" });
    const [here, there] = await Promise.all(
      [first, second].map(async ({ url }) => readEvents(await fetch(`${url}/runs/${id}/events`))),
    );
    expect(there!.map(({ id, event }) => `${id} ${event}`)).toEqual(
      here!.map(({ id, event }) => `${id} ${event}`),
    );
    expect(there!.at(-1)).toMatchObject({ event: "run.response" });
    // A client that lost its connection goes on at another instance.
    const later = await fetch(`${second.url}/runs/${id}/events`, { headers: { "last-event-id": "3" } });
    expect((await readEvents(later))[0]?.id).toBe("4");
  });

  it("deliver events of another instance as they happen, not at the end [H-events]", async () => {
    // One answer, then a provider that hangs: the run cannot end.
    sim.script({
      rules: [{ times: 1, reply: { kind: "answer", answer: "Paris" } }, { reply: { kind: "hang" } }],
    });
    const id = await startInBackground(first.url);
    const stream = await fetch(`${second.url}/runs/${id}/events`);
    const reader = stream.body!.getReader();
    let text = "";
    while (!text.includes("sample.accepted")) text += new TextDecoder().decode((await reader.read()).value);
    expect(first.service.live(id)).toBeDefined();
    expect(parseEvents(text).map(({ event }) => event)).not.toContain("run.response");
    await reader.cancel();
    await fetch(`${first.url}/runs/${id}`, { method: "DELETE" });
  });

  it("cancel a run that another one executes [H-cancel]", async () => {
    const { arrivals } = sim.stats;
    const id = await startInBackground(first.url);
    // A run without a call has nothing to abort at the provider.
    await eventually(() => sim.stats.arrivals).toBeGreaterThan(arrivals);
    const response = await fetch(`${second.url}/runs/${id}`, { method: "DELETE" });
    expect(await readJson(response)).toEqual({ id, status: "cancelled" });
    await eventually(() => first.service.live(id)).toBeUndefined();
    expect(await readJson(await fetch(`${second.url}/runs/${id}`))).toMatchObject({ status: "cancelled" });
    await eventually(() => sim.stats.aborted).toBeGreaterThan(0);
  });

  it("give one run to requests with the same key, wherever they arrive [H-key]", async () => {
    const headers = { "idempotency-key": "once" };
    const responses = await Promise.all(
      [first, second, first, second].map(({ url }) => post(`${url}/mcp/model`, question, { headers })),
    );
    const bodies = await Promise.all(responses.map(readJson));
    expect(new Set(responses.map((response) => response.headers.get("x-request-id"))).size).toBe(1);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    const calls = sim.stats.arrivals;
    const again = await post(`${second.url}/mcp/model`, question, { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await post(`${first.url}/mcp/model`, { prompt: "Another?" }, { headers });
    expect(other.status).toBe(422);
    expect(sim.stats.arrivals).toBe(calls);
  });

  it("try a key again elsewhere after its run failed [H-key]", async () => {
    const headers = { "idempotency-key": "again" };
    sim.script({ rules: [{ reply: { kind: "status", status: 401 } }] });
    const failed = await post(
      `${first.url}/mcp/model`,
      { ...question, config: { max_calls: 3 } },
      { headers },
    );
    expect(failed.status).toBeGreaterThanOrEqual(400);
    sim.script({});
    const retried = await post(
      `${second.url}/mcp/model`,
      { ...question, config: { max_calls: 3 } },
      { headers },
    );
    expect(retried.status).toBe(200);
  });

  it("spend one daily budget [H-budget]", async () => {
    await database.query("DELETE FROM council.daily_expenses");
    const env = { ...settings(), MCI_DAILY_MAX_CALLS: "7" };
    const [one, other] = await Promise.all([startService(env), startService(env)]);
    const responses = await Promise.all(
      [one, other, one, other].map(({ url }) => post(`${url}/mcp/model`, question)),
    );
    expect(responses.map(({ status }) => status)).toContain(503);
    expect(sim.stats.arrivals).toBeLessThanOrEqual(7);
    const late = await post(`${other.url}/mcp/model`, question);
    expect(await readJson(late)).toMatchObject({ error: { code: "daily_budget_exhausted" } });
  });

  it("serve clients behind a load balancer that knows nothing of runs [H-balancer]", async () => {
    const url = await startProxy([first.url, second.url]);
    const id = await startInBackground(url, "balanced");
    for (let n = 0; n < 3; n++) expect((await fetch(`${url}/runs/${id}`)).status).toBe(200);
    const events = await readEvents(await fetch(`${url}/runs/${id}/events`));
    expect(events.at(-1)).toMatchObject({ event: "run.response" });
    const replays = await Promise.all(
      [1, 2].map(() => post(`${url}/mcp/model`, question, { headers: { "idempotency-key": "balanced" } })),
    );
    expect(replays.map((response) => response.headers.get("x-request-id"))).toEqual([id, id]);
    const { runs } = await readJson(await fetch(`${url}/runs`));
    // A second run under the key would be newer.
    expect(runs[0].id).toBe(id);
  });

  it("say in /readyz where the history is", async () => {
    expect(await readJson(await fetch(`${first.url}/readyz`))).toMatchObject({
      history: { status: "ok", storage: "postgres" },
    });
  });
});

it("without tasks nothing that runs them is started; once there are some, whichever instance they came to, it is [TS-lazy]", async () => {
  // Those that run tasks say which version of workflows.
  const running = async () => {
    const { rows } = await database.query(
      "SELECT count(workflow_version)::int AS tasks, count(*)::int AS all FROM council.instances",
    );
    return rows[0];
  };
  expect(await running()).toEqual({ tasks: 0, all: 2 });
  // One process runs tasks once.
  await second.close();
  await database.query(
    "INSERT INTO council.tasks (id, kind, spec, status, progress) VALUES ('waits', 'plan', '{}', 'paused', '{}')",
  );
  await eventually(async () => (await running()).tasks).toBe(1);
});

describe("a database that cannot be used", () => {
  it.each([
    [
      "nothing listens there",
      "postgresql://user:hunter2@127.0.0.1:1/db",
      /127\.0\.0\.1:1.*accepts connections/,
    ],
    ["it is not an address", "mysql://user:hunter2@host/db", /DATABASE_URL must be a postgresql/],
  ])("prevents startup when %s, and its password is not shown [H-start]", async (_, url, message) => {
    const starting = startService({ DATABASE_URL: url, MCI_DATABASE_WAIT_MS: "0" });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toThrow(/^((?!hunter2).)*$/s);
  });
});
