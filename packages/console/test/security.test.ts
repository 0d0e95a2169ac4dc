import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { callTool, openPage } from "./support/browser.ts";
import { startService, startSite, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const ATTACK = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const MARKDOWN = `${ATTACK}\n\n[a link](javascript:window.hacked=1) ![an image](https://evil.example/pixel.png) <svg onload="window.hacked=1"></svg>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"><script>window.hacked=1</script></svg>`;

/** Nothing ran, and nothing was asked for outside the page's own server. */
async function expectHarmless(page: Page, requests: readonly string[], origin: string): Promise<void> {
  expect(await page.evaluate("window.hacked")).toBeUndefined();
  expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
}

function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  return requests;
}

const DATA_LINK = "[data](data:text/html;base64,PHNjcmlwdD53aW5kb3cuaGFja2VkPTE8L3NjcmlwdD4=)";
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** An MCP server whose one tool returns these items. */
function serverOf(content: readonly object[]): string {
  return `
    import { createInterface } from "node:readline";
    const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "initialize") reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "evil", version: "1" } });
      else if (method === "tools/list") reply(id, { tools: [{ name: "items", description: ${JSON.stringify(ATTACK)}, inputSchema: { type: "object" } }] });
      else if (method === "tools/call") reply(id, { content: ${JSON.stringify(content)} });
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
    });
    console.error(${JSON.stringify(ATTACK)});`;
}

test("script in names, descriptions, schemas and results of tools stays text, images stay images [UI-injection]", async () => {
  const node = (code: string) => ({ type: "cli", command: process.execPath, args: ["-e", code] });
  const html = base64(`<script>window.hacked=1</script>`);
  const cwd = folder({
    "server.mjs": serverOf([
      { type: "image", data: base64(SVG), mimeType: "image/svg+xml" },
      { type: "image", data: html, mimeType: "text/html" },
      { type: "image", data: "AAAA", mimeType: `image/png" onerror="window.hacked=1` },
      { type: "audio", data: html, mimeType: "text/html" },
      {
        type: "resource",
        resource: { uri: "javascript:window.hacked=1", mimeType: "text/html", text: ATTACK },
      },
      { type: "resource", resource: { uri: "evil://1", mimeType: "text/html", blob: html } },
      { type: "resource_link", uri: "javascript:window.hacked=1", name: ATTACK, title: ATTACK },
      { type: "text", text: `${MARKDOWN} ${DATA_LINK}` },
    ]),
    "mci.json": {
      schemaVersion: "1.0",
      tools: [
        {
          name: `evil ${ATTACK}`,
          description: ATTACK,
          tags: [ATTACK],
          annotations: { title: ATTACK },
          inputSchema: {
            type: "object",
            properties: { [ATTACK]: { type: "string", title: ATTACK, description: ATTACK, default: ATTACK } },
          },
          execution: { type: "text", text: `${MARKDOWN} ${DATA_LINK}` },
        },
        {
          name: "json",
          execution: node(`console.log(${JSON.stringify(JSON.stringify([{ [ATTACK]: ATTACK }]))})`),
        },
        { name: "picture", execution: { type: "file", path: "evil.svg" } },
      ],
      mcp_servers: { [`evil`]: { command: process.execPath, args: ["server.mjs"] } },
    },
    "evil.svg": SVG,
  });
  const ui = await startUi(cwd);
  const { page } = await openPage({ allowedErrors: /Failed to load resource/ });
  const requests = requestsOf(page);
  await page.goto(ui.address());
  await page.getByRole("link", { name: /evil/ }).first().click();
  await callTool(page);
  await page.getByRole("button", { name: "Show as Markdown" }).click();
  await page.getByText("a link").waitFor();
  expect(await page.locator('main a[href^="javascript:"], main a[href^="data:"]').count()).toBe(0);
  for (const name of ["json", "picture", "items"]) {
    await page.goto(`${ui.origin}/#/tools/${name}`);
    await callTool(page);
    await page.getByRole("region", { name: "Result" }).waitFor();
  }
  await page.getByRole("button", { name: "Show as Markdown" }).last().click();
  await page.getByText("a link").waitFor();
  const sources = await page
    .locator("main img, main audio")
    .evaluateAll((all) => all.map((element) => (element as unknown as { src: string }).src.split(",")[0]));
  expect(sources.sort()).toEqual([
    "data:audio/png;base64",
    "data:image/png;base64",
    "data:image/png;base64",
    "data:image/svg+xml;base64",
  ]);
  expect(await page.locator('main a[href^="javascript:"], main a[href^="data:"]').count()).toBe(0);
  for (const screen of ["calls", "file", "project"]) {
    await page.goto(`${ui.origin}/#/${screen}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await page.getByText("window.hacked").first().waitFor();
  await expectHarmless(page, requests, ui.origin);
});

test("script in prompts, titles of runs and what models answer stays text, and a link they give learns nothing [UI-injection]", async () => {
  const visits: { referer: string | undefined; url: string }[] = [];
  const other = await startSite((request, response) => {
    visits.push({ referer: request.headers.referer, url: request.url! });
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>elsewhere</title>");
  });
  const { url } = await startService(
    { MCI_TOKEN: "a-secret-of-the-service" },
    { rules: [{ reply: { kind: "answer", answer: `[elsewhere](${other}/page) ${MARKDOWN} ${DATA_LINK}` } }] },
  );
  const { page } = await openPage({ allowedErrors: /40[14]/ });
  const requests = requestsOf(page);
  await page.goto(`${url}/#token=a-secret-of-the-service`);
  await page.getByLabel("Question or task").fill(`${ATTACK} Decide between A and B, weigh the costs.`);
  await page.locator("summary", { hasText: "Options" }).click();
  await page.getByLabel("Method").selectOption({ label: "Council with a judge" });
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: /window.hacked/ }).waitFor();
  await page.getByRole("heading", { name: "Seat 1" }).waitFor();
  await expect.poll(() => page.title()).toContain("<img src=x");
  expect(await page.locator('main a[href^="javascript:"], main a[href^="data:"]').count()).toBe(0);
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByRole("combobox", { name: /First run/ }).waitFor();
  await page.getByRole("link", { name: "History" }).click();
  const row = page.getByRole("link", { name: /window.hacked/ });
  await row.waitFor();
  await expectHarmless(page, requests, url);

  await row.click();
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "elsewhere" }).first().click(),
  ]);
  await opened.waitForLoadState();
  expect(await opened.evaluate("window.opener")).toBeNull();
  expect(visits).toEqual([{ referer: undefined, url: "/page" }]);
});

test("the token leaves the address at once, works once, and is in no Referer and no output of the server [UI-token]", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const ui = await startUi(cwd);
  const address = ui.address();
  const token = address.split("#token=")[1]!;
  const { page } = await openPage({ allowedErrors: /401/ });
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.goto(address);
  await page.getByText("The file has no tools.").waitFor();
  const headers = await Promise.all(requests.map((request) => request.allHeaders()));
  expect(page.url()).not.toContain(token);
  expect(headers.filter(({ referer = "" }) => referer !== "")).toEqual([]);
  const sent = headers.flatMap((each) => Object.values(each)).filter((value) => value.includes(token));
  expect(sent.length).toBe(1);
  const again = await openPage({ allowedErrors: /401/, fresh: true });
  await again.page.goto(address);
  await again.page.getByRole("heading", { name: "This tab has no access" }).waitFor();
  expect(ui.output().split(token).length).toBe(2);
  await page.reload();
  await page.getByText("The file has no tools.").waitFor();
});

test("pages of other sites can neither call the API nor show the console in a frame [UI-other-sites]", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const ui = await startUi(cwd);
  const service = await startService();
  const site = await startSite((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><iframe src="${ui.origin}/"></iframe><iframe src="${service.url}/"></iframe><p>other site</p>`,
    );
  });
  const { page } = await openPage({ allowedErrors: /./ });
  await page.goto(site);
  await page.getByText("other site").waitFor();
  // Simple requests, which a browser sends without asking first.
  const calls = [
    ["GET", `${ui.origin}/api/console`],
    ["GET", `${ui.origin}/api/tools`],
    ["POST", `${ui.origin}/api/session`],
    ["GET", `${service.url}/runs`],
    ["GET", `${service.url}/api/console`],
    ["POST", `${service.url}/mcp/model`, JSON.stringify({ prompt: "Is this asked?" })],
  ] as const;
  const results = await page.evaluate<
    string[]
  >(`Promise.all(${JSON.stringify(calls)}.map(([method, url, body]) =>
    fetch(url, { method, body }).then((r) => "read " + r.status, () => "refused")))`);
  expect(results).toEqual(calls.map(() => "refused"));
  const { runs } = (await (await fetch(`${service.url}/runs`)).json()) as { runs: unknown[] };
  expect(runs).toEqual([]);
  const frames = page.frames().slice(1);
  expect(frames.length).toBe(2);
  for (const frame of frames) {
    const shown = await frame
      .locator("#root")
      .count()
      .catch(() => 0);
    expect(shown).toBe(0);
  }

  const direct = (path: string, init: RequestInit) => fetch(`${ui.origin}/api/${path}`, init);
  expect((await direct("tools", { headers: { origin: site } })).status).toBe(403);
  expect((await direct("tools", {})).status).toBe(401);
  expect((await direct("file", { method: "PUT", body: "{}" })).status).toBe(401);
  for (const origin of [ui.origin, service.url]) {
    const { headers } = await fetch(origin, { headers: { accept: "text/html" } });
    expect(headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
  expect(readFileSync(join(cwd, "mci.json"), "utf8")).toContain("schemaVersion");
});

test("no text makes the page wait for its formatting: it is shown as it is, and the next one is formatted [UI-markdown-time]", async () => {
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [
        { name: "slow", execution: { type: "text", text: "_a_ _".repeat(38_000) } },
        { name: "many", execution: { type: "text", text: "*a* ".repeat(40_000) } },
        { name: "deep", execution: { type: "text", text: `${"> ".repeat(50_000)}deep` } },
        { name: "plain", execution: { type: "text", text: "some **bold** words" } },
      ],
    },
  });
  const ui = await startUi(cwd);
  const { page } = await openPage();
  await page.goto(ui.address());
  const show = async (name: string) => {
    await page.goto(`${ui.origin}/#/tools/${name}`);
    await callTool(page);
    await page.getByRole("button", { name: "Show as Markdown" }).click();
  };
  // Each takes a parser minutes, or is too much to show formatted.
  for (const name of ["slow", "many", "deep"]) {
    await show(name);
    await page.getByRole("button", { name: "Show as text" }).click();
    await page.getByRole("button", { name: "Show as Markdown" }).waitFor();
  }
  await show("slow");
  await show("plain");
  await page.locator("main strong", { hasText: "bold" }).waitFor();
});
