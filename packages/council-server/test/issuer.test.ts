import { beforeAll, describe, expect, test } from "vitest";
import { startIssuer, type TestIssuer } from "../../../test/issuer/authorization-server.ts";
import { createEmptyDatabase } from "../../council-postgres/test/database.ts";
import { readConfig } from "../src/config/config.ts";
import { createAuthentication } from "../src/http/access/authenticate.ts";
import { startCouncil } from "./harness.ts";
import { longTask } from "./long-task.ts";
import { readJson } from "./read-json.ts";

const AUDIENCE = "https://council.example.com";
const OPERATOR = "the-operators-own-token";

let issuer: TestIssuer;
let tokens: { ann: string; bob: string; admin: string };
beforeAll(async () => {
  issuer = await startIssuer(["council:admin"]);
  const [ann, bob, admin] = await Promise.all([
    issuer.token("ann", { audience: AUDIENCE }),
    issuer.token("bob", { audience: AUDIENCE }),
    issuer.token("rs", { audience: AUDIENCE, scope: "council:admin" }),
  ]);
  tokens = { ann: ann!, bob: bob!, admin: admin! };
  return () => issuer.close();
});

type Send = (path: string, body?: unknown, more?: { method?: string; headers?: object }) => Promise<Response>;

async function start(env: Record<string, string> = {}) {
  const behaviour = { latency: { median_ms: 1 } };
  const { url, logged } = await startCouncil(
    { behaviour },
    { MCI_OAUTH_ISSUER: issuer.issuer, MCI_OAUTH_AUDIENCE: AUDIENCE, MCI_TOKEN: OPERATOR, ...env },
  );
  const as =
    (token: string): Send =>
    (path, body, { method, headers = {} } = {}) =>
      fetch(`${url}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  const { ann, bob, admin } = tokens;
  return { url, logged, ann: as(ann), bob: as(bob), admin: as(admin), operator: as(OPERATOR), as };
}

const ask = { prompt: "Tabs or spaces?", config: { k: 1 } };
const ids = async (response: Promise<Response>) =>
  (await readJson(await response)).runs.map(({ id }: { id: string }) => id);

describe.each([
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ DATABASE_URL: await createEmptyDatabase() })],
])("behind an issuer, on %s", (_, databaseOf) => {
  test("[OWN-runs] a run, its calls, its events and its end are its subject's alone; an admin and the operator see all", async () => {
    const { ann, bob, admin, operator } = await start(await databaseOf());
    const asked = await ann("/mcp/model", ask);
    expect(asked.status).toBe(200);
    const id = asked.headers.get("x-request-id")!;
    expect(await ids(ann("/runs"))).toEqual([id]);
    expect(await ids(bob("/runs"))).toEqual([]);
    expect((await readJson(await bob("/runs?total=true"))).total).toBe(0);
    expect(await ids(bob("/runs?q=tabs"))).toEqual([]);
    for (const path of [`/runs/${id}`, `/runs/${id}/events`, `/runs/${id}/calls`, `/runs/${id}/capsule`])
      expect([path, (await bob(path)).status]).toEqual([path, 404]);
    expect((await bob(`/runs/${id}`, undefined, { method: "DELETE" })).status).toBe(404);
    expect((await bob(`/runs/${id}/verdict`, { right: true })).status).toBe(404);
    expect((await ann(`/runs/${id}/events`)).status).toBe(200);
    for (const all of [admin, operator]) {
      expect(await ids(all("/runs"))).toEqual([id]);
      expect(await readJson(await all(`/runs/${id}`))).toMatchObject({ id, subject: "ann" });
    }
    expect((await admin(`/runs/${id}`, undefined, { method: "DELETE" })).status).toBe(200);
  });

  test("[OWN-keys] the same key, and the same question, of two subjects are two runs", async () => {
    const { ann, bob, as } = await start(await databaseOf());
    const keyed = { headers: { "idempotency-key": "one" } };
    const run = async (send: Send, body: object = ask, more: object = keyed) =>
      (await send("/mcp/model", body, more)).headers.get("x-request-id");
    const first = await run(ann);
    expect(await run(ann)).toBe(first);
    const second = await run(bob);
    expect(second).not.toBe(first);
    // Another question under a key of someone else is not a mismatch: there is no such key.
    const other = await as(tokens.admin)("/mcp/model", { ...ask, prompt: "Else?" }, keyed);
    expect(other.status).toBe(200);
    const cached = { ...ask, config: { ...ask.config, cache: { max_age_s: 60 } } };
    const cachedOf = async (send: Send) =>
      (await readJson(await send("/mcp/model", cached))).metadata?.cached?.run;
    const own = await cachedOf(ann);
    expect(own === undefined || own === first).toBe(true);
    expect(await cachedOf(bob)).not.toBe(first);
  });
});

test("[OWN-tasks] [OWN-budget] a task, its steps and its stream are its subject's; lists, counts and bulk actions reach no other; its steps spend the subject's part of the day", async () => {
  const { ann, bob, admin } = await start({
    DATABASE_URL: await createEmptyDatabase(),
    MCI_SUBJECT_DAILY_CALLS: "20",
  });
  const created = await readJson(
    await ann("/tasks", longTask(2000), { headers: { "idempotency-key": "k" } }),
  );
  const { id } = created;
  expect(created).toMatchObject({ id: expect.any(String) });
  expect((await readJson(await bob("/tasks"))).tasks).toEqual([]);
  for (const path of ["", "/steps", "/events"]) expect((await bob(`/tasks/${id}${path}`)).status).toBe(404);
  for (const action of ["pause", "resume", "cancel", "retry", "fork?step=1"])
    expect([action, (await bob(`/tasks/${id}/${action}`, {})).status]).toEqual([action, 404]);
  expect((await bob(`/tasks/${id}`, undefined, { method: "DELETE" })).status).toBe(404);
  const bulk = await readJson(await bob("/tasks/actions", { action: "cancel", ids: [id] }));
  expect(bulk).toMatchObject({ done: 0, refused: [{ id }] });
  expect(
    await readJson(await bob("/tasks/actions", { action: "cancel", filter: {}, dry_run: true })),
  ).toMatchObject({
    matched: 0,
  });
  expect(
    await readJson(await bob("/tasks/actions", { action: "cancel", filter: {}, limit: 10 })),
  ).toMatchObject({ done: 0 });
  const other = await readJson(await bob("/tasks", longTask(2000), { headers: { "idempotency-key": "k" } }));
  expect(other.id).not.toBe(id);
  expect(
    (await readJson(await admin("/tasks"))).tasks.map((one: { subject: string }) => one.subject).sort(),
  ).toEqual(["ann", "bob"]);
  expect((await bob("/schedules")).status).toBe(403);
  expect((await admin("/schedules")).status).toBe(200);
  const message = "You have reached MCI_SUBJECT_DAILY_CALLS for today (UTC)";
  await expect
    .poll(async () => readJson(await ann(`/tasks/${id}`)), { timeout: 20_000 })
    .toMatchObject({ status: "paused", usage: { calls: 20 }, error: { message } });
  expect((await readJson(await ann("/mcp/model", ask))).error).toMatchObject({ message });
  expect(await readJson(await ann(`/tasks/${id}/cancel`, {}))).toMatchObject({ status: "cancelled" });
  await admin(`/tasks/${other.id}/cancel`, {});
});

test("[OWN-access] without a token nothing is served but what a client needs to log in; admin pages need the admin scope", async () => {
  const { url, ann, admin, as } = await start();
  const refused = await fetch(`${url}/runs`);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer realm="council", resource_metadata="https://council.example.com/.well-known/oauth-protected-resource"',
  ]);
  const metadata = await readJson(await fetch(`${url}/.well-known/oauth-protected-resource`));
  expect(metadata).toMatchObject({ resource: AUDIENCE, authorization_servers: [issuer.issuer] });
  expect((await as("x.y.z")("/runs")).status).toBe(401);
  expect((await ann("/metrics")).status).toBe(403);
  expect((await admin("/metrics")).status).toBe(200);
});

test("[OWN-access] with MCI_OAUTH_SCOPE a token without it is refused, and told which it needs", async () => {
  const { ann, admin } = await start({ MCI_OAUTH_SCOPE: "council:use" });
  const refused = await ann("/runs");
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    403,
    expect.stringContaining('error="insufficient_scope", scope="council:use council:admin"'),
  ]);
  expect((await admin("/runs")).status).toBe(200);
});

test("[OWN-budget] each subject has its own part of the day, which runs side by side cannot exceed; one that is spent leaves the others theirs", async () => {
  const { ann, bob } = await start({ MCI_SUBJECT_DAILY_CALLS: "2" });
  const responses = await Promise.all(Array.from({ length: 6 }, () => ann("/mcp/model", ask)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
  const refused = await ann("/mcp/model", ask);
  expect([refused.status, (await readJson(refused)).error.code]).toEqual([503, "daily_budget_exhausted"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // What is deleted stays spent.
  for (const id of await ids(ann("/runs"))) await ann(`/runs/${id}`, undefined, { method: "DELETE" });
  expect((await ann("/mcp/model", ask)).status).toBe(503);
  expect((await bob("/mcp/model", ask)).status).toBe(200);
});

test("[OWN-sessions] a session that two subjects give the same name is two sessions: neither joins, reads or spends the other's", async () => {
  const { ann, bob, operator } = await start({ MCI_ACT: '{"max_usd_session": 0.001}' });
  const step = {
    model: "act",
    messages: [{ role: "user", content: "Go on" }],
    metadata: { session_id: "s" },
  };
  const take = async (who: Send, name = "shared") => {
    const response = await who("/v1/chat/completions", step, { headers: { "x-session-id": name } });
    await response.text();
    return { status: response.status, session: response.headers.get("x-council-session") ?? "" };
  };
  const first = await take(ann);
  expect(first).toMatchObject({ status: 200, session: expect.stringMatching(/^[\w-]{32}$/) });
  // What the first step cost is not known, so the budget of the session may be spent.
  expect(await take(ann)).toMatchObject({ status: 422 });
  const other = await take(bob);
  expect([other.status, other.session === first.session]).toEqual([200, false]);
  // Not by its hashed name either, nor by the name that the operator's own session may have.
  expect((await take(bob, first.session)).session).not.toBe(first.session);
  expect(await take(operator)).toEqual({ status: 200, session: "shared" });
  for (const name of [first.session, "shared"]) expect(await ids(bob(`/runs?session=${name}`))).toEqual([]);
  const own = await ids(ann(`/runs?session=${first.session}`));
  expect(own).toHaveLength(2);
  expect(await ids(operator(`/runs?session=${first.session}`))).toEqual(own);
});

test("[OWN-budget] each subject has its own rate, wherever its requests come from", async () => {
  const http = { ...readConfig({}).http, rateLimit: 6 };
  const settings = { issuer: issuer.issuer, audience: AUDIENCE, adminScope: "council:admin" };
  const { viewerOf } = createAuthentication(http, settings, () => {});
  for (let n = 0; n < 6; n++) await viewerOf(`Bearer ${tokens.ann}`, "localhost");
  await expect(viewerOf(`Bearer ${tokens.ann}`, "localhost")).rejects.toMatchObject({ code: "rate_limited" });
  expect(await viewerOf(`Bearer ${tokens.bob}`, "localhost")).toEqual({ subject: "bob", isAdmin: false });
});
