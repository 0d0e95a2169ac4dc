import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openPage } from "./support/browser.ts";
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

test("script in names, descriptions, schemas and results of tools stays text", async () => {
  const node = (code: string) => ({ type: "cli", command: process.execPath, args: ["-e", code] });
  const cwd = folder({
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
          execution: { type: "text", text: MARKDOWN },
        },
        {
          name: "json",
          execution: node(`console.log(${JSON.stringify(JSON.stringify([{ [ATTACK]: ATTACK }]))})`),
        },
        { name: "picture", execution: { type: "file", path: "evil.svg" } },
      ],
    },
    "evil.svg": SVG,
  });
  const ui = await startUi(cwd);
  const { page } = await openPage({ allowedErrors: /Failed to load resource/ });
  const requests = requestsOf(page);
  await page.goto(ui.address());
  await page.getByRole("link", { name: /evil/ }).click();
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("button", { name: "Show as Markdown" }).click();
  await page.getByText("a link").waitFor();
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  for (const name of ["json", "picture"]) {
    await page.goto(`${ui.origin}/#/tools/${name}`);
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByRole("region", { name: "Result" }).waitFor();
  }
  for (const screen of ["calls", "file", "project"]) {
    await page.goto(`${ui.origin}/#/${screen}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await expectHarmless(page, requests, ui.origin);
});

test("script in prompts and in what models answer stays text", async () => {
  const { url } = await startService({}, { rules: [{ reply: { kind: "answer", answer: MARKDOWN } }] });
  const { page } = await openPage();
  const requests = requestsOf(page);
  await page.goto(url);
  await page.getByLabel("Question or task").fill(`${ATTACK} Decide between A and B, weigh the costs.`);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page
    .getByText(/complete|degraded|partial|failed/i)
    .first()
    .waitFor({ timeout: 60_000 });
  await page.getByRole("link", { name: "History" }).click();
  await page.getByRole("link", { name: /window.hacked/ }).waitFor();
  await expectHarmless(page, requests, url);
});

test("the token leaves the address at once, works once, and is in no Referer and no output of the server", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const ui = await startUi(cwd);
  const address = ui.address();
  const token = address.split("#token=")[1]!;
  const { page } = await openPage({ allowedErrors: /401/ });
  const headers: Record<string, string>[] = [];
  page.on("request", async (request) => headers.push(await request.allHeaders()));
  await page.goto(address);
  await page.getByText("The file has no tools.").waitFor();
  expect(page.url()).not.toContain(token);
  expect(headers.filter(({ referer = "" }) => referer !== "")).toEqual([]);
  const sent = headers.flatMap((each) => Object.values(each)).filter((value) => value.includes(token));
  expect(sent.length).toBe(1);
  const again = await openPage({ allowedErrors: /401/ });
  await again.page.goto(address);
  await again.page.getByRole("heading", { name: "This tab has no access" }).waitFor();
  await page.reload();
  await page.getByText("The file has no tools.").waitFor();
});

test("pages of other sites can neither call the API nor show the console in a frame", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const ui = await startUi(cwd);
  const site = await startSite((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><iframe src="${ui.origin}/"></iframe><p>other site</p>`);
  });
  const { page } = await openPage({ allowedErrors: /./ });
  await page.goto(site);
  await page.getByText("other site").waitFor();
  const results = await page.evaluate<string[]>(`Promise.all(["console", "tools", "session"].map((path) =>
    fetch("${ui.origin}/api/" + path, { method: path === "session" ? "POST" : "GET" }).then((r) => "read " + r.status, () => "refused")))`);
  expect(results).toEqual(["refused", "refused", "refused"]);
  const frame = page.frames()[1];
  expect(
    await frame
      ?.locator("#root")
      .count()
      .catch(() => 0),
  ).toBe(0);

  const direct = (path: string, init: RequestInit) => fetch(`${ui.origin}/api/${path}`, init);
  expect((await direct("tools", { headers: { origin: site } })).status).toBe(403);
  expect((await direct("tools", {})).status).toBe(401);
  expect((await direct("file", { method: "PUT", body: "{}" })).status).toBe(401);
  const page1 = await fetch(ui.origin);
  expect(page1.headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
  expect(page1.headers.get("content-security-policy")).not.toMatch(/unsafe/);
  expect(page1.headers.get("referrer-policy")).toBe("no-referrer");
  expect(readFileSync(join(cwd, "mci.json"), "utf8")).toContain("schemaVersion");
});
