import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { runScripts } from "../../../test/programs/run-script.ts";
import { folder } from "../../cli/test/mci.ts";
import { callTool, LAYOUT_RULES, openPage, overflowsSideways, violations } from "./support/browser.ts";
import { startSimulated, startSite, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const SERVER = `
  import { createInterface } from "node:readline";
  console.error("started");
  const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
    else if (method === "tools/list") reply(id, { tools: [{ name: "shout", inputSchema: { type: "object" } }] });
    else if (method === "tools/call") reply(id, { content: [{ type: "text", text: "HELLO " + process.pid }] });
    else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
  });`;

async function saved(page: Page, name: string): Promise<{ file: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name }).click(),
  ]);
  return { file: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("a call is opened with its requests, headers and attempts, searched, sent again, compared and exported; what is said to MCP servers is read, one is restarted, a variable is set for the session, and calls are there again after a restart until they are forgotten [UI-call-detail] [UI-saved-tests] [UI-calls-stored] [UI-protocol]", async () => {
  let isFirst = true;
  const site = await startSite((request, response) => {
    const isRefused = isFirst;
    isFirst = false;
    if (isRefused) response.writeHead(503).end("busy");
    else response.setHeader("x-served-by", "the site").end(JSON.stringify({ path: request.url, needle: 42 }));
  });
  const cwd = folder({
    "server.mjs": SERVER,
    "mci.json": {
      schemaVersion: "1.0",
      tools: [
        {
          name: "fetch_it",
          annotations: { readOnlyHint: true },
          inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
          execution: {
            type: "http",
            url: `${site}/things/{{props.id}}`,
            auth: { type: "bearer", token: "{{env.SITE_TOKEN}}" },
            retries: { attempts: 2, backoff_ms: 1 },
          },
        },
      ],
      mcp_servers: {
        healthy: { command: process.execPath, args: ["server.mjs"] },
        dead: { command: "no-such-program" },
      },
    },
  });
  const ui = await startUi(cwd);
  const { page } = await openPage({ viewport: { width: 1100, height: 820 }, allowedErrors: /502|401|ERR_/ });
  await page.goto(ui.address());
  // A server that failed is seen where its tools are missing.
  await page.getByText("MCP server dead: no tools.").waitFor();
  await page.getByRole("link", { name: "See why" }).click();
  const row = page.getByRole("row", { name: /SITE_TOKEN/ });
  await row.getByText("missing", { exact: true }).waitFor();
  await row.getByRole("link", { name: "fetch_it" }).waitFor();
  await row.getByLabel("Value of SITE_TOKEN for this session").fill("t0ken-of-mine");
  await row.getByRole("button", { name: "Set SITE_TOKEN" }).click();
  await row.getByText("this session", { exact: true }).waitFor();
  expect(await page.content()).not.toContain("t0ken-of-mine");

  const call = async (id: string) => {
    await page.goto(`${ui.origin}/#/tools/fetch_it`);
    await page.getByLabel("id required").fill(id);
    await callTool(page);
    await page.getByRole("region", { name: "Result" }).getByText(`"/things/${id}"`).waitFor();
  };
  await call("one");
  await page.getByRole("link", { name: "What was sent and received" }).click();
  await page.getByRole("heading", { name: "GET 503 Service Unavailable" }).waitFor();
  await page.getByText("request 2 of 2, attempt 2").waitFor();
  const second = page.getByRole("region", { name: "Request 2" });
  await second.getByText("Bearer ***", { exact: true }).waitFor();
  await second.locator("dt", { hasText: "x-served-by" }).waitFor();
  // Indented, as other tools for requests show it, and as it came.
  const body = second.getByRole("region", { name: "Response body 2" });
  expect(await body.textContent()).toBe('{\n  "path": "/things/one",\n  "needle": 42\n}');
  await second.getByRole("button", { name: "Raw" }).click();
  expect(await body.textContent()).toBe('{"path":"/things/one","needle":42}');
  await second.getByRole("button", { name: "Raw", pressed: true }).click();
  expect(await body.textContent()).toContain('\n  "needle": 42');
  expect(await page.content()).not.toContain("t0ken-of-mine");
  expect(await violations(page)).toEqual([]);
  const har = await saved(page, "Export as HAR");
  const { entries } = JSON.parse(har.text).log;
  expect(har.file).toMatch(/\.har$/);
  expect(entries.map((each: { response: { status: number } }) => each.response.status)).toEqual([503, 200]);
  expect(har.text).not.toContain("t0ken-of-mine");
  expect(JSON.parse((await saved(page, "Export as JSON")).text)).toMatchObject({ input: { id: "one" } });
  // Twice the same is one test.
  await page.getByRole("button", { name: "Save as test" }).click();
  await page.getByText("Saved in mci.tests.json, which has 1 test.").waitFor();
  await page.getByRole("button", { name: "Save as test" }).click();
  const tests = () => JSON.parse(readFileSync(join(cwd, "mci.tests.json"), "utf8"));
  await expect.poll(tests).toEqual([
    {
      tool: "fetch_it",
      input: { id: "one" },
      expect: { isError: false, content: [{ type: "text", text: '{"path":"/things/one","needle":42}' }] },
    },
  ]);

  // Edited and sent again, also from the address alone.
  await page.getByRole("link", { name: "Edit and send again" }).click();
  expect(await page.getByLabel("id required").inputValue()).toBe("one");
  await call("two");
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  const list = page.getByRole("region", { name: "List of calls" });
  await list.getByRole("link", { name: "fetch_it", exact: true }).nth(1).waitFor();
  await page.getByPlaceholder("Search what was sent and received").fill("needle things/two");
  await page.getByText("1 call", { exact: true }).waitFor();
  await page.getByPlaceholder("Search what was sent and received").fill("no-such-word");
  await page.getByText("No call matches.").waitFor();
  await page.getByPlaceholder("Search what was sent and received").fill("");
  await list.getByRole("link", { name: "fetch_it", exact: true }).first().click();
  await page.getByLabel("Compare with").selectOption({ index: 1 });
  const differences = page.getByRole("region", { name: "Difference of Input" });
  await differences.getByText('removed: "id": "one"').waitFor();
  await differences.getByText('added: "id": "two"').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.goto(`${ui.origin}/#/tools/shout`);
  await callTool(page);
  const shouted = page.getByRole("region", { name: "Result" }).getByText(/HELLO \d+/);
  const before = await shouted.innerText();
  await page.getByRole("link", { name: "Variables and servers" }).click();
  const healthy = page.getByRole("listitem").filter({ hasText: "healthy" }).first();
  await healthy.getByText("Protocol log").click();
  const messages = healthy.getByRole("list", { name: "Messages of healthy" });
  await messages.getByText(/^tools\/call #/).click();
  await messages.getByText('"shout"').waitFor();
  expect(await violations(page)).toEqual([]);
  await healthy.getByRole("button", { name: "Restart healthy" }).click();
  await healthy.getByText("Restarted.").waitFor();
  await page.getByRole("button", { name: "Restart dead" }).click();
  await page.getByText("mcp_restart_failed").waitFor();
  await page.goto(`${ui.origin}/#/tools/shout`);
  await callTool(page);
  expect(await shouted.innerText()).not.toBe(before);

  // After mci was started again the calls are still there, and the secret is nowhere.
  await ui.stop();
  const again = await startUi(cwd, { port: Number(new URL(ui.origin).port) });
  await page.goto(again.address());
  await page.reload();
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByPlaceholder("Search what was sent and received").fill("needle things/one");
  await page.getByText("1 call", { exact: true }).waitFor();
  await list.getByRole("link", { name: "fetch_it", exact: true }).click();
  await page.getByRole("region", { name: "Request 2" }).getByText("Bearer ***", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Result" }).getByText('"/things/one"').waitFor();
  await page.getByRole("link", { name: "All calls" }).click();
  const [, stored] = /masked, in (\S+)$/.exec(await page.locator(".storage-line p").innerText())!;
  for (const name of readdirSync(dirname(stored!)))
    expect(readFileSync(join(dirname(stored!), name), "latin1")).not.toContain("t0ken-of-mine");
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowsSideways(page)).toBe(false);
  expect(await violations(page, LAYOUT_RULES)).toEqual([]);
  // Rows of a list have one height: what does not fit lies over the next row.
  const heights = await page.evaluate<number[]>(
    "[...document.querySelector('.call-record').children].map((part) => part.offsetHeight)",
  );
  expect(Math.max(...heights)).toBeLessThan(40);
  expect(await page.locator(".call-record .call-time").first().isVisible()).toBe(true);
  await page.getByRole("button", { name: "Forget all" }).click();
  await page.getByRole("button", { name: "Forget them" }).click();
  await page.getByText("No calls yet.").waitFor();
  expect(readFileSync(stored!, "latin1")).not.toContain("needle");

  // The test that was saved passes, and fails when the response is another.
  // The runner of Node.js would need a process of its own: this one says the same of one test.
  const runner = `const ends = [];
    const after = (end) => ends.push(end);
    const test = async (name, run) => {
      await run().then(() => console.log("passed"), () => console.log("failed"));
      for (const end of ends) await end();
    };`;
  const documented = readFileSync(new URL("../../../docs/reference/saved-tests.md", import.meta.url), "utf8");
  const script = /```ts\n(import assert[^`]*)```/
    .exec(documented.replaceAll(/`(\$\{tool\}.*?)`/g, '"a test"'))![1]!
    .replace('import { after, test } from "node:test";', runner)
    .replace("  test(", "  await test(")
    .replace("process.env", '{ SITE_TOKEN: "t0ken-of-mine" }');
  expect(script).toContain(runner);
  const [passing, failing] = ["passing.mts", "failing.mts"].map((name) => join(cwd, name)) as [
    string,
    string,
  ];
  writeFileSync(passing, script);
  writeFileSync(failing, script.replace('"utf8")', '"utf8").replace("42", "43")'));
  const outcomes = await runScripts([passing, failing]);
  expect(Object.values(outcomes.get(passing)!).join(" ")).toContain("passed");
  expect(outcomes.get(failing)!.stdout).toContain("failed");
});

test("the service stores calls in its folder, forgets them on request, and restarts an MCP server, whose tools are then there [UI-calls-stored] [UI-protocol]", async () => {
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [
        {
          name: "greet",
          annotations: { readOnlyHint: true },
          inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          execution: { type: "text", text: "{{env.GREETING}} Hello {{props.name}}" },
        },
      ],
      mcp_servers: { late: { command: process.execPath, args: [join("{{env.FOLDER}}", "server.mjs")] } },
    },
  });
  const env = {
    MCI_TOOLS: join(cwd, "mci.json"),
    MCI_DATA_DIR: join(cwd, "data"),
    GREETING: "s3cret-greeting",
    FOLDER: cwd,
  };
  const first = await startSimulated(env);
  const { page } = await openPage({ allowedErrors: /502|ERR_|net::/ });
  await page.goto(`${first.url}/#/tools/greet`);
  await page.getByLabel("name required").fill("Ada");
  await callTool(page);
  await page.getByRole("region", { name: "Result" }).getByText("Hello Ada").waitFor();
  // This page may not write beside the file.
  const recorded = await saved(page, "Save as test");
  expect(recorded).toMatchObject({ file: "greet.test.mts", text: expect.stringContaining("Hello Ada") });
  await page.goto(`${first.url}/#/project`);
  await page
    .getByRole("row", { name: /GREETING/ })
    .getByRole("link", { name: "greet" })
    .waitFor();
  await page.getByRole("button", { name: "Restart late" }).click();
  await page.getByText("mcp_restart_failed").waitFor();
  writeFileSync(join(cwd, "server.mjs"), SERVER);
  await page.getByRole("button", { name: "Restart late" }).click();
  await page.getByText("Restarted.").waitFor();
  await page.getByRole("link", { name: "1 tool" }).click();
  await page.getByRole("link", { name: /shout/ }).waitFor();

  await first.close();
  const stored = join(cwd, "data", "tool-calls.db");
  expect(readFileSync(stored, "latin1")).toContain("Hello Ada");
  expect(readFileSync(stored, "latin1")).not.toContain("s3cret-greeting");
  const second = await startSimulated(env);
  await page.goto(`${second.url}/#/calls`);
  await page.getByPlaceholder("Search what was sent and received").fill("hello ada");
  await page.getByText("1 call", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Forget all" }).click();
  await page.getByRole("button", { name: "Forget them" }).click();
  await page.getByPlaceholder("Search what was sent and received").fill("");
  await page.getByText("No calls yet.").waitFor();
  expect(readFileSync(stored, "latin1")).not.toContain("Ada");
});
