import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { handleToolsRequest, type ToolsSource } from "@mci-ts/console/tools";
import { MCIClient } from "mci-ts";
import { codeTool, openPlans } from "mci-ts/code";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../../test/servers.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";

async function start() {
  const effects: string[] = [];
  const { url: origin } = await serve((request, response) => {
    effects.push(request.url!);
    // The last write is one whose outcome the client cannot tell.
    response.writeHead(request.url === "/close/3" && effects.length < 4 ? 503 : 200).end("{}");
  });
  const folder = temporaryFolder();
  const url = `${origin}/close/{{props.number}}`;
  const inputSchema = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
  const client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [{ name: "close_issue", inputSchema, execution: { type: "http", method: "POST", url } }],
  });
  onTestFinished(() => client.close());
  const code = codeTool(client, { plans: folder });
  const source = {
    client: () => client,
    plans: async (use: (plans: unknown) => unknown) => use(openPlans(client, folder)),
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const request = {
      method,
      path,
      body,
      query: new URLSearchParams(),
      signal: new AbortController().signal,
    };
    const response = await handleToolsRequest(source as unknown as ToolsSource, request);
    // biome-ignore lint/suspicious/noExplicitAny: responses are compared as they are
    const answer: any = await response.json();
    return { ...answer, status: response.status };
  };
  const plan = async () => {
    const text = "for (const number of [1, 2, 3]) await tools.close_issue({ number })";
    return String((await code.call("run_code", { code: text })).metadata["plan_id"]);
  };
  return { effects, folder, ask, plan };
}

test("[CLI-plans] a plan is listed, read and committed as it was shown; what is unknown waits for a person", async () => {
  const { effects, ask, plan } = await start();
  expect(await ask("GET", "plans")).toEqual({ status: 200, plans: [] });
  const id = await plan();
  expect((await ask("GET", "plans")).plans).toMatchObject([
    { id, state: "waiting", writes: { close_issue: 3 }, done: 0 },
  ]);
  const shown = await ask("GET", `plans/${id}`);
  expect(shown.text).toMatch(/3 x close_issue.*\n1\. close_issue: POST http:.*\/close\/1/);
  expect(shown.entries.map(({ state }: { state: string }) => state)).toEqual(Array(3).fill("not_started"));

  expect(await ask("POST", `plans/${id}/commit`, {})).toMatchObject({ status: 400 });
  const other = await ask("POST", `plans/${id}/commit`, { digest: "another" });
  expect(other).toMatchObject({ status: 409, error: { code: "plan_changed" } });
  expect(effects).toEqual([]);

  const report = await ask("POST", `plans/${id}/commit`, { digest: shown.plan.digest });
  expect(report).toMatchObject({ complete: false, entries: [{}, {}, { state: "unknown" }] });
  expect((await ask("GET", "plans")).plans).toMatchObject([{ state: "incomplete", done: 2 }]);
  expect(await ask("DELETE", `plans/${id}`)).toMatchObject({ status: 409, error: { code: "plan_begun" } });
  const wrong = await ask("POST", `plans/${id}/commit`, {
    digest: shown.plan.digest,
    resolve: { 3: "maybe" },
  });
  expect(wrong.status).toBe(400);
  const rest = await ask("POST", `plans/${id}/commit`, {
    digest: shown.plan.digest,
    resolve: { 3: "repeat" },
  });
  expect(rest.complete).toBe(true);
  expect((await ask("GET", "plans")).plans).toMatchObject([{ state: "committed", done: 3 }]);
  expect(effects).toEqual(["/close/1", "/close/2", "/close/3", "/close/3"]);
});

test("[CLI-plans] a plan that was edited is shown as such and never committed; one that was not begun can be discarded", async () => {
  const { effects, folder, ask, plan } = await start();
  const [id, unwanted] = [await plan(), await plan()];
  const file = join(folder, `${id}.json`);
  const { digest } = (await ask("GET", `plans/${id}`)).plan;
  writeFileSync(file, readFileSync(file, "utf8").replace("/close/2", "/close/9"));
  expect((await ask("GET", "plans")).plans.map(({ state }: { state: string }) => state).toSorted()).toEqual([
    "changed",
    "waiting",
  ]);
  expect(await ask("GET", `plans/${id}`)).toMatchObject({ status: 409, error: { code: "plan_changed" } });
  expect(await ask("POST", `plans/${id}/commit`, { digest })).toMatchObject({ status: 409 });
  expect(await ask("DELETE", `plans/${unwanted}`)).toMatchObject({ status: 200, discarded: unwanted });
  for (const wrong of [unwanted, "..%2F..%2Fsecret", "plan-x"])
    expect(await ask("GET", `plans/${wrong}`)).toMatchObject({ status: 404 });
  expect(effects).toEqual([]);
});
