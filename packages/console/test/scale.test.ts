import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Model } from "@mci-ts/council";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openDatabase } from "../../council-server/src/store/database.ts";
import { openPage } from "./support/browser.ts";
import { startSimulated, startUi, startWithModel } from "./support/servers.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** Limits are several times what a quiet machine needs (docs/reference/console-figures.md has them): tests share theirs. */
const MAX_INTERACTIVE_MS = 1000;
const MAX_LONG_TASK_MS = 1000;
const MAX_FRAME_P95_MS = 250;

/** `MCI_WATCHED_RUNS=1000` for the figure in the docs. */
const WATCHED_RUNS = Number(process.env["MCI_WATCHED_RUNS"] ?? 12);

/** `MCI_MATRIX_ROWS=200` for the figure in the docs. */
const MATRIX_ROWS = Number(process.env["MCI_MATRIX_ROWS"] ?? 15);

/** The page and mci keep so many calls. */
const MAX_CALLS = 500;

test("the first screen is interactive within a second, with at most 150 kB of compressed JavaScript, what it loads ahead included", async () => {
  const { url } = await startSimulated();
  const times: number[] = [];
  let scripts: string[] = [];
  // The best of three is the page's own time, the others are the machine's: one is enough where it is fast.
  while (times.length < 3 && !times.some((time) => time < MAX_INTERACTIVE_MS)) {
    // A new profile each time: nothing is cached.
    const { page } = await openPage({ fresh: true });
    await page.goto(url);
    await page.getByLabel("Question or task").waitFor();
    times.push(await page.evaluate<number>("performance.getEntriesByName('interactive')[0].startTime"));
    const loaded = () =>
      page.evaluate<string[]>(
        "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('.js')).map((e) => e.name)",
      );
    // What follows from it, a run, is loaded ahead, and nothing else is.
    await expect.poll(async () => (await loaded()).join()).toContain("run-screen");
    await expect
      .poll(
        async () => {
          const before = scripts.length;
          scripts = await loaded();
          return scripts.length === before;
        },
        { interval: 250 },
      )
      .toBe(true);
    expect(scripts.join()).not.toMatch(/history-screen|task-screen|tools-screen|call-screen/);
    await page.getByRole("link", { name: "History" }).hover();
    await expect.poll(async () => (await loaded()).join()).toContain("history-screen");
  }
  report("interactive after ms", times);
  const bytes = scripts.reduce(
    (sum, script) => sum + gzipSync(readFileSync(join(dist, new URL(script).pathname))).length,
    0,
  );
  report("compressed bytes of script", bytes);
  expect(scripts.length).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(150 * 1000);
  const all = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeLessThan(all.length);
  expect(Math.min(...times)).toBeLessThan(MAX_INTERACTIVE_MS);
});

test("ten thousand tools are listed, scrolled and searched; only those in view are elements [UI-scale]", async () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Tool number ${index}`,
    execution: { type: "text", text: "{{props.x}}" },
  }));
  const ui = await startUi(folder({ "mci.json": { schemaVersion: "1.0", tools } }));
  const { page } = await openPage();
  await recordFrames(page);
  await page.goto(ui.address());
  await page.getByText("10,000").waitFor({ timeout: 60_000 });
  await scrollThrough(page, "List of tools", 11_000);
  await page.getByText("tool_180", { exact: true }).waitFor();
  expect(await page.locator(".tool-row").count()).toBeLessThan(80);
  await page.getByPlaceholder("Search tools").fill("tool_9876");
  await page.getByText("Tool number 9876").waitFor();
  await expectSmooth(page, "10,000 tools");
});

test("a hundred thousand runs are paged and searched by the server; only those in view are elements [UI-scale]", async () => {
  const dir = mkdtempSync(join(tmpdir(), "console-runs-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  fillHistory(dir, 100_000);
  const { url } = await startSimulated({ MCI_DATA_DIR: dir, MCI_RETENTION_RUNS: "200000" });
  const { page } = await openPage();
  await recordFrames(page);
  await page.goto(`${url}/#/runs`);
  await page.getByText("Question 0 ").waitFor();
  await expect
    .poll(
      async () => {
        await scrollThrough(page, "Runs", Number.MAX_SAFE_INTEGER);
        return Number(/Question (\d+)/.exec(await page.locator(".run-row").last().innerText())?.[1]);
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(100);
  expect(await page.locator(".run-row").count()).toBeLessThan(80);
  await page.getByPlaceholder("Search prompts and answers").fill("99999");
  await page.getByText("Question 99999 ").waitFor();
  await expectSmooth(page, "100,000 runs");
});

test("25 voters and 2,000 events run smoothly, and the replay shows the same at every event that is compared [UI-scale]", async () => {
  const { complete, begin } = undecidedModel();
  const { url } = await startWithModel(complete, { MCI_MAX_CALLS: "1000" });
  // A window of half the pixels: to draw them takes most of the time, and what is measured is the page's own.
  const viewport = { width: 800, height: 600 };
  const { page } = await openPage({ fresh: true, reducedMotion: "no-preference", viewport });
  await recordFrames(page);
  await page.goto(url);
  const response = await fetch(`${url}/mcp/model`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({
      prompt: "Is it so? Answer yes or no.",
      intent: "validation",
      config: { k: 25, max_samples: 500 },
    }),
  });
  await page.goto(`${url}/#/runs/${response.headers.get("x-request-id")}`);
  const run = page.locator(".run");
  await run.getByText("25 calls in flight").waitFor();
  begin();
  const slider = page.getByRole("slider");
  await slider.waitFor({ timeout: 120_000 });
  await expectSmooth(page, "a vote of 25, live");
  const live = await run.innerText();
  const last = Number(await slider.getAttribute("max"));
  expect(last).toBeGreaterThan(2000);
  for (let step = 1; step < 10; step++) await slider.fill(String(Math.floor((last * step) / 10)));
  const middle = await run.innerText();
  await slider.fill(String(last));
  await expect.poll(() => run.innerText()).toBe(live);
  await slider.fill(String(Math.floor((last * 9) / 10)));
  await expect.poll(() => run.innerText()).toBe(middle);
  await expectSmooth(page, "scrubbing through it");
});

test("memory stays flat while calls stream in [UI-scale]", async () => {
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [{ name: "echo", execution: { type: "text", text: "{{props.x}}" } }],
    },
  });
  const ui = await startUi(cwd);
  const { page } = await openPage({ fresh: true });
  await page.goto(ui.address());
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("No calls yet.").waitFor();
  const heap = await heapOf(page);
  const token = await page.evaluate<string>("sessionStorage.getItem('mci-console-token')");
  const call = async (x: string) => {
    const response = await fetch(`${ui.origin}/api/tools/echo/call`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ input: { x } }),
    });
    expect(response.status).toBe(200);
    await response.text();
  };
  /** Calls whose inputs are most of what the page holds: were some kept for good, it would show. */
  const stream = async (count: number, last: string) => {
    for (let n = 0; n < count; n += 25)
      await Promise.all(Array.from({ length: 25 }, (_, i) => call(`${n + i} ${"x".repeat(4000)}`)));
    await call(last);
    await page.getByText(last).waitFor();
    await page.getByText(`${MAX_CALLS} calls`, { exact: true }).waitFor();
  };
  await stream(MAX_CALLS, "the last call");
  const before = await heap();
  await stream(MAX_CALLS / 2, "the very last call");
  const after = await heap();
  report("heap when the list is full, and after half as many calls again", [before, after]);
  expect(after).toBeLessThan(before * 1.1);
});

test("memory stays flat while one run after another is watched to its end [UI-scale]", async () => {
  const essay = "An answer of ten thousand characters. ".repeat(270);
  const complete: Model["complete"] = async () => ({
    text: "",
    object: { rationale: essay, answer: "yes" },
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.0001 },
    latencyMs: 1,
  });
  const { url } = await startWithModel(complete);
  const { page } = await openPage({ fresh: true });
  await page.goto(url);
  const heap = await heapOf(page);
  const watch = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const response = await fetch(`${url}/mcp/model`, {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "respond-async" },
        body: JSON.stringify({
          prompt: `Is it so? Answer yes or no. ${n}`,
          intent: "validation",
          config: { k: 3 },
        }),
      });
      const id = response.headers.get("x-request-id");
      await page.evaluate(`location.hash = "/runs/${id}"`);
      await page.getByText(`Answer yes or no. ${n}`).first().waitFor();
      await page.getByText(/won: \d+/).waitFor();
    }
  };
  await watch(WATCHED_RUNS / 3);
  const before = await heap();
  await watch(WATCHED_RUNS);
  const after = await heap();
  report(`heap after ${WATCHED_RUNS / 3} watched runs, and after ${WATCHED_RUNS} more`, [before, after]);
  // Each of them would take a tenth of a megabyte.
  expect(after - before).toBeLessThan(Math.max(600_000, WATCHED_RUNS * 5000));
}, 3_600_000);

test("a matrix of six configurations with answers of 10 kB fills, scrolls and is searched without a pause; only rows in view are elements [UI-scale] [UI-matrix]", async () => {
  let calls = 0;
  // Answers that are texts are short; those that are objects may be long.
  const text = () => Array.from({ length: 1600 }, (_, n) => `w${n * ++calls}`).join(" ");
  const { url } = await startWithModel(async () => ({
    text: "",
    object: { rationale: "", answer: { text: text().slice(0, 10_000) } },
    finishReason: "stop" as const,
    usage: { inputTokens: 10, outputTokens: 5, costUsd: 0 },
    latencyMs: 1,
  }));
  const { page } = await openPage({ viewport: { width: 1280, height: 900 }, fresh: true });
  await page.goto(`${url}/#/evaluate`);
  await page.getByRole("button", { name: "New evaluation" }).click();
  const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const questions = Array.from({ length: MATRIX_ROWS }, (_, n) =>
    JSON.stringify({ prompt: `What is ${n}?`, schema, answer: { text: String(n) } }),
  );
  await page.getByRole("textbox", { name: "Questions", exact: true }).fill(questions.join("\n"));
  await page.getByRole("button", { name: "Remove 2" }).click();
  for (let column = 2; column <= 6; column++) await page.getByRole("button", { name: "Copy 1" }).click();
  await page.getByLabel("Questions at a time").fill("16");
  const heap = await heapOf(page);
  const before = await heap();
  await recordFrames(page);
  await page.reload();
  const all = (MATRIX_ROWS * 6).toLocaleString("en");
  const started = performance.now();
  await page.getByRole("button", { name: `Start: ${all} answers` }).click();
  const done = () =>
    expect
      .poll(() => page.locator(".run-counts").innerText(), { timeout: 150_000, interval: 250 })
      .toMatch(new RegExp(`^${all} of ${all} answers`));
  await done();
  report(`${all} answers of 10 kB in s`, (performance.now() - started) / 1000);
  await expectSmooth(page, "a matrix that fills");
  const filled = await heap();
  await page.waitForFunction("document.querySelector('.matrix')?.scrollHeight > innerHeight");
  for (const top of [1000, 3000, 500, 2000, 0]) await scrollThrough(page, "Matrix", top);
  await expect.poll(() => page.evaluate<number>("window.frameMs.length")).toBeGreaterThan(20);
  await expectSmooth(page, "a matrix that is scrolled");
  expect(await page.locator(".matrix tbody tr").count()).toBeLessThan(30);
  await page.getByPlaceholder("Search questions and answers").fill("w0 w1");
  await page.getByText(new RegExp(`of ${MATRIX_ROWS} rows`)).waitFor();
  await expect.poll(() => page.evaluate<number>("window.frameMs.length")).toBeGreaterThan(20);
  await expectSmooth(page, "a matrix that is searched");
  await page.reload();
  await done();
  report("heap before a matrix, when it is full, and after a reload", [before, filled, await heap()]);
  expect(filled - before).toBeLessThan(20e6 + MATRIX_ROWS * 6 * 25_000);
});

/** A model that is divided, so that each vote goes on to the last sample, and that waits until it may begin. */
function undecidedModel() {
  const { promise, resolve: begin } = Promise.withResolvers<void>();
  let calls = 0;
  const complete: Model["complete"] = async () => {
    const call = calls++;
    await promise;
    await sleep(30 + (call % 7) * 10);
    return {
      text: "",
      object: { rationale: "", answer: call % 2 === 0 ? "yes" : "no" },
      finishReason: "stop",
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.0001 },
      latencyMs: 30,
    };
  };
  return { complete, begin };
}

/** Measures the page's memory after a collection of garbage. */
async function heapOf(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  return async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = (await devtools.send("Runtime.getHeapUsage")) as { usedSize: number };
    return usedSize;
  };
}

/** Notes every frame and every long task from now on. */
async function recordFrames(page: Page): Promise<void> {
  const script = await page.addInitScript(`
    window.frameMs = [];
    window.longTasks = [];
    let last = performance.now();
    const frame = (now) => { window.frameMs.push(now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    new PerformanceObserver((list) => { for (const e of list.getEntries()) window.longTasks.push(e.duration); }).observe({ type: "longtask" });
  `);
  onTestFinished(() => script.dispose());
}

/** What was noted since the last time. */
async function expectSmooth(page: Page, what: string): Promise<void> {
  const { frames, tasks } = await page.evaluate<{ frames: number[]; tasks: number[] }>(
    "({ frames: window.frameMs.splice(0), tasks: window.longTasks.splice(0) })",
  );
  const sorted = frames.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)]!;
  report(what, { frames: frames.length, median: sorted[sorted.length >> 1], p95, longTasks: tasks });
  expect(frames.length).toBeGreaterThan(5);
  expect(p95).toBeLessThan(MAX_FRAME_P95_MS);
  expect(Math.max(0, ...tasks)).toBeLessThan(MAX_LONG_TASK_MS);
}

async function scrollThrough(page: Page, region: string, top: number): Promise<void> {
  const list = page.getByRole("region", { name: region, exact: true });
  await list.evaluate((element, to) => {
    (element as unknown as { scrollTop: number }).scrollTop = to;
  }, top);
}

/** Shown with `MCI_FIGURES=1`, for the docs. */
function report(what: string, figures: unknown): void {
  if (process.env["MCI_FIGURES"]) console.log(what, JSON.stringify(figures));
}

/** Runs that are over, written all at once with what the search knows of them: the service's own writer would take a minute. */
function fillHistory(dir: string, runs: number): void {
  const db = openDatabase({ dir, maxMegabytes: 2000 }, "filler");
  db.exec(`
    PRAGMA journal_mode = MEMORY;
    PRAGMA synchronous = OFF;
    BEGIN;
    WITH RECURSIVE n (i, time, prompt) AS (
      SELECT 0, ${Date.now()}, 'Question 0 of many'
      UNION ALL SELECT i + 1, time - 1000, 'Question ' || (i + 1) || ' of many' FROM n WHERE i + 1 < ${runs}
    )
    INSERT INTO runs (id, owner, channel, status, started_at, ended_at, http_status, tool, prompt, request, response, fingerprint)
      SELECT format('run-%05d', i), 'filler', 'http', 'complete', time, time + 500, 200, 'solve_with_voting', prompt,
        json_object('prompt', prompt), json_object('result', 'Answer ' || i), i FROM n;
    INSERT INTO search_keys (run_id) SELECT id FROM runs ORDER BY id;
    INSERT INTO search_text (rowid, prompt, result)
      SELECT key, prompt, response ->> '$.result' FROM search_keys JOIN runs ON id = run_id ORDER BY key;
    COMMIT;
  `);
  db.close();
}
