import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { evaluate } from "../../council-server/src/command/eval.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { LAYOUT_RULES, openPage, tabTo, violations } from "./support/browser.ts";
import { ask } from "./support/demo.ts";
import { layoutFaults } from "./support/layout-faults.ts";
import { startService, startSimulated } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const EXPECTED = /Failed to load resource|ERR_|net::/;
const WIDE = { width: 1280, height: 900 };

/** Opens a new evaluation with these questions. */
async function begin(page: Page, url: string, questions: string): Promise<void> {
  await page.goto(`${url}/#/evaluate`);
  await page.getByRole("button", { name: "New evaluation" }).click();
  await page.getByRole("textbox", { name: "Questions", exact: true }).fill(questions);
}

const counts = (page: Page) => page.locator(".run-counts");
const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`);

/** Starts or resumes; the fake model has no price, so the page asks first. */
async function start(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Start|Resume): / }).click();
  await page.getByRole("button", { name: "Ask them" }).click();
}

async function saved(page: Page, item: string): Promise<string> {
  await page.getByText("Export", { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: item }).click(),
  ]);
  await page.keyboard.press("Escape");
  return readFileSync((await file.path())!, "utf8");
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "console-evaluate-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const right = { reply: { kind: "answer", answer: "yes" } } as const;

test("a matrix fills live, says what is right and where configurations differ; a person judges; its export is what mci-council eval goes on with [UI-matrix]", async () => {
  const { url, arrivals } = await startService({}, {
    rules: [
      { contains: "Wrong once", times: 1, delay_ms: 0, reply: { kind: "answer", answer: "no" } },
      right,
    ],
    behaviour: { latency: { median_ms: 300 } },
  } as never);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  await begin(page, url, "Is it fine? => yes\nWrong once? => yes\nIs it green?");
  await page.getByText("1 question without an expected answer").waitFor();
  await page.getByText(/^12 to about \d+ model calls; cost unknown/).waitFor();
  expect(arrivals()).toBe(0);
  await start(page);
  await page.locator(".matrix").getByText("in flight").first().waitFor();
  await expect.poll(() => counts(page).innerText()).toMatch(/^6 of 6 answers/);
  expect(await cell(page, 0, 1).innerText()).toMatch(/✓ right\s+yes\s+1 call/);
  expect(await cell(page, 1, 1).innerText()).toMatch(/✗ wrong\s+no/);
  expect(await cell(page, 1, 2).innerText()).toMatch(/✓ right\s+yes\s+3 calls.* agreement 100/s);
  expect(await cell(page, 2, 1).innerText()).toContain("not judged");
  const totals = page.getByRole("region", { name: "Totals of each configuration" });
  await totals.getByRole("row", { name: /^single 50% \(1 of 2\) 1 not judged 9.5% to 90.5%/ }).waitFor();
  await totals
    .getByRole("row", { name: /^vote-3 100% \(2 of 2\).*\+50.0 points.* p = 1.000 could be chance/ })
    .waitFor();

  // Only what differs, and in another order.
  await page.getByLabel("Rows").selectOption("differ");
  await page.getByText("1 of 3 rows").waitFor();
  await cell(page, 0, 0).getByText("Wrong once?").waitFor();
  await page.getByLabel("Rows").selectOption("");
  await page.getByRole("combobox", { name: "Order" }).selectOption("wrong");
  await expect.poll(() => cell(page, 0, 0).innerText()).toContain("Wrong once?");
  await page.getByPlaceholder("Search questions and answers").fill("green");
  await page.getByText("1 of 3 rows").waitFor();

  // Every answer whole; a person's verdict is one of the service, too.
  await cell(page, 0, 2).click();
  const dialog = page.getByRole("dialog");
  const vote = dialog.getByRole("region", { name: "vote-3" });
  await vote.getByRole("button", { name: "Right", exact: true }).click();
  await vote.getByText("by a person").waitFor();
  const run = (await vote.getByRole("link", { name: "The whole run" }).getAttribute("href"))!.slice(7);
  const { verdict } = (await (await fetch(`${url}/runs/${run}`)).json()) as { verdict: unknown };
  expect(verdict).toEqual({ right: true, by: "person" });
  await page.keyboard.press("Escape");
  await totals.getByRole("row", { name: /^vote-3 100% \(3 of 3\)/ }).waitFor();

  // The command reads the questions, and asks nothing that the results have.
  const dir = folder();
  const csv = await saved(page, "Answers as CSV");
  expect(csv).toContain("line 2,Wrong once?,yes,single,1,answered,no,wrong,answer");
  expect(JSON.parse(await saved(page, "Everything as JSON")).answers.length).toBe(6);
  expect(await saved(page, "Totals and answers as Markdown")).toContain("| vote-3 | 3 of 3 (100%)");
  writeFileSync(join(dir, "questions.jsonl"), await saved(page, "Questions for mci-council eval"));
  const out = join(dir, "council-eval");
  const results = await saved(page, "Results for mci-council eval");
  await page.getByText("Export", { exact: true }).click();
  const command = await page.locator(".commands code").innerText();
  expect(command).toBe(
    "npx mci-council eval questions.jsonl --methods single,vote-3 --models sim --concurrency 4 --out council-eval",
  );
  mkdirSync(out);
  writeFileSync(join(out, "results.jsonl"), results);
  const provider = await startFakeProvider({});
  onTestFinished(() => provider.close());
  let printed = "";
  const write = (text: string) => {
    printed += text;
  };
  const args = command
    .split(" ")
    .slice(4)
    .map((word) => (word === "council-eval" ? out : word));
  await evaluate(
    [join(dir, "questions.jsonl"), ...args],
    { MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" },
    { write, progress: { write: () => {}, isTerminal: false } },
  );
  expect(provider.stats.arrivals).toBe(0);
  expect(printed).toMatch(/single +sim +2 +50\.0 %/);
  expect(printed).toMatch(/vote-3 +sim +2 +100\.0 %/);
});

test("stopped, reloaded and resumed, in two tabs at once, nothing is asked twice, and nothing that was typed or answered is lost [UI-matrix] [UI-drafts]", async () => {
  const { url, arrivals } = await startService({}, {
    rules: [right],
    behaviour: { latency: { median_ms: 400, sigma: 0 } },
  } as never);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  const questions = Array.from({ length: 20 }, (_, n) => `Is ${n} fine? => yes`).join("\n");
  await begin(page, url, questions);
  await page.reload();
  await expect
    .poll(() => page.getByRole("textbox", { name: "Questions", exact: true }).inputValue())
    .toBe(questions);
  await page.getByRole("button", { name: "Remove 2" }).click();
  await start(page);
  await expect.poll(async () => Number((await counts(page).innerText()).split(" ")[0])).toBeGreaterThan(3);
  // In the middle: runs in flight go on without the page, and are fetched when it is back.
  await page.reload();
  await expect.poll(() => counts(page).innerText()).not.toContain("in flight");
  const arrived = async () => Number((await counts(page).innerText()).split(" ")[0]);
  await expect.poll(async () => (await arrived()) - arrivals()).toBe(0);
  expect(await arrived()).toBeLessThan(20);
  const other = await page.context().newPage();
  await other.goto(page.url());
  // What each of two tabs types is in both.
  await other.locator("summary", { hasText: "Questions" }).click();
  await other.getByLabel("Name of the evaluation").fill("From another tab");
  await page.getByRole("heading", { name: "From another tab" }).waitFor();
  await page.locator("summary", { hasText: "Configurations" }).click();
  await page.getByLabel("Questions at a time").fill("3");
  await expect.poll(() => other.getByLabel("Questions at a time").inputValue()).toBe("3");
  await start(page);
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  // The other tab shows what this one gets, and cannot start.
  await other.getByText("Another tab asks these questions").waitFor();
  expect(await other.getByRole("button", { name: /^Resume/ }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: /^Resume/ }).waitFor();
  await expect.poll(async () => (await arrived()) - arrivals()).toBe(0);
  const stopped = await arrived();
  await expect.poll(() => counts(other).innerText()).toContain(`${stopped} of 20 answers`);
  // Both at the same moment.
  await expect.poll(() => other.getByRole("button", { name: /^Resume/ }).isEnabled()).toBe(true);
  await Promise.all([start(page), start(other).catch(() => undefined)]);
  await expect.poll(() => counts(page).innerText(), { timeout: 30_000 }).toMatch(/^20 of 20 answers/);
  await expect.poll(() => counts(other).innerText()).toMatch(/^20 of 20 answers/);
  expect(arrivals()).toBe(20);
});

test("a spent budget and a limit are waited for as the service says, a service that dies is waited for, and failures are asked again [UI-matrix]", async () => {
  const { url, arrivals, close } = await startService({ MCI_DAILY_MAX_CALLS: "2", MCI_DATA_DIR: folder() }, {
    rules: [right],
  } as never);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  await begin(page, url, Array.from({ length: 4 }, (_, n) => `Is ${n} fine? => yes`).join("\n"));
  await page.getByRole("button", { name: "Remove 2" }).click();
  await page.getByText("More than the daily budget of the service (2 calls)").waitFor();
  await start(page);
  await page
    .getByText(
      /The service has reached MCI_DAILY_MAX_CALLS for today.* It is tried again at .* \(in \d+ (h|min)/,
    )
    .waitFor();
  await expect.poll(() => counts(page).innerText()).toMatch(/^2 of 4 answers/);
  expect(arrivals()).toBe(2);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Resume: 2 answers" }).waitFor();
  await close();
  const port = new URL(url).port;
  await start(page);
  await page.getByText(/The service cannot be reached. It is tried again at/).waitFor();
  const again = await startService({ PORT: port }, {
    rules: [
      { contains: "Is 2", times: 1, reply: { kind: "status", status: 400 } },
      { contains: "Is 3", times: 1, reply: { kind: "status", status: 429, retry_after: 1 } },
      right,
    ],
  } as never);
  await page
    .getByRole("button", { name: "Try now" })
    .click()
    .catch(() => undefined);
  await expect.poll(() => counts(page).innerText(), { timeout: 60_000 }).toMatch(/^3 of 4 answers, 1 failed/);
  await page.getByRole("button", { name: "Ask 1 failed one again" }).click();
  await page.getByRole("button", { name: "Ask them" }).click();
  await expect.poll(() => counts(page).innerText()).toMatch(/^4 of 4 answers/);
  expect(again.arrivals()).toBe(4);
  // Another answer is another run; until it is known, what is there stays, and Stop takes it back.
  await cell(page, 0, 1).click();
  const dialog = page.getByRole("dialog", { name: "line 1" });
  const first = await dialog.getByRole("link", { name: "The whole run" }).getAttribute("href");
  await dialog.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("button", { name: "Ask it again" }).click();
  await expect.poll(() => again.arrivals()).toBe(5);
  await expect
    .poll(() => dialog.getByRole("link", { name: "The whole run" }).getAttribute("href", { timeout: 5000 }))
    .not.toBe(first);
  await dialog.getByRole("button", { name: "Ask again" }).waitFor();
  await again.close();
  await dialog.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("button", { name: "Ask it again" }).click();
  await page.getByText(/The service cannot be reached. It is tried again at/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.poll(() => counts(page).innerText()).toMatch(/^4 of 4 answers/);
  expect(await cell(page, 0, 1).innerText()).toMatch(/✓ right\s+yes/);
});

test("templates, repeats, rubrics, settings and a file of the command; by keyboard alone, at 360 px, in both colours [UI-matrix] [UI-accessible]", async () => {
  const satisfied = { rationale: "", answer: { satisfied: true } };
  const { url } = await startService({}, {
    rules: [
      { contains: "satisfy this rubric", reply: { kind: "text", text: JSON.stringify(satisfied) } },
      right,
    ],
  } as never);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  await begin(page, url, "");
  const dir = folder();
  const file = join(dir, "questions.csv");
  writeFileSync(file, "id,city,rubric\none,Rome,Names it\ntwo,Oslo,\n");
  await page.getByLabel("From a file").setInputFiles(file);
  await page.getByText("2 questions, read as a table, commas (CSV)").waitFor();
  await page.getByText("{{prompt}}, which it lacks").first().waitFor();
  await page.getByRole("button", { name: "Use a prompt with variables" }).click();
  await page.getByRole("textbox", { name: "Prompt 1" }).fill("Is {{city}} nice?");
  await page.getByLabel("Times each question is asked").fill("2");
  await page
    .getByRole("group", { name: /^2\. vote-3/ })
    .getByText("Settings", { exact: false })
    .click();
  await page.getByLabel("reasoning_effort").first().selectOption("low");
  await page.getByText('2. vote-3, reasoning_effort "low"').waitFor();
  await start(page);
  await expect.poll(() => counts(page).innerText(), { timeout: 30_000 }).toMatch(/^8 of 8 answers/);
  await cell(page, 0, 0).getByText("Is Rome nice?").waitFor();
  expect(await cell(page, 0, 1).innerText()).toContain("2 of 2 right");
  // By keyboard: into the matrix, from cell to cell, into the answers and back.
  await tabTo(page, /^one/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("document.activeElement.dataset.cell")).toBe("1 1");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("Repeat 2").first().waitFor();
  const found: string[] = [];
  const check = async (state: string) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(
          ...(
            await violations(page, width === 1280 && colorScheme === "light" ? undefined : LAYOUT_RULES)
          ).map((each) => `${state} ${width}: ${each}`),
        );
      }
      found.push(...(await layoutFaults(page)).map((each) => `${state} ${width}: ${each}`));
    }
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: "light" });
  };
  await check("dialog");
  await page.keyboard.press("Escape");
  expect(await page.evaluate("document.activeElement.dataset.cell")).toBe("1 1");
  await check("matrix");
  await page.locator("summary", { hasText: "Questions" }).click();
  await page.locator("summary", { hasText: "Configurations" }).click();
  await page.getByText("Export", { exact: true }).click();
  await page.getByRole("button", { name: "The command that repeats it" }).click();
  await page.locator(".commands code").waitFor();
  await check("forms");
  await page.goto(`${url}/#/evaluate`);
  await page.getByRole("link", { name: /Rome|Without a name/ }).waitFor();
  await check("list");
  expect(found).toEqual([]);
});

test("a browser that stores nothing, or no more, says so, and loses nothing that is on the screen; Ctrl+K knows evaluations [UI-matrix]", async () => {
  const { url } = await startService({}, { rules: [right] } as never);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED, fresh: true });
  await page.addInitScript(
    "if (location.search === '?none') Object.defineProperty(window, 'indexedDB', { get() { throw new Error('it is switched off') } })",
  );
  await page.goto(`${url}/?none#/evaluate`);
  await page.getByText("This browser stores nothing (it is switched off).").waitFor();
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByText("This browser stores nothing (it is switched off).").waitFor();
  await start(page);
  await expect.poll(() => counts(page).innerText(), { timeout: 30_000 }).toMatch(/^[1-9]\d* of 10 answers/);

  await begin(page, url, "Is it full? => yes");
  await page.getByLabel("Name of the evaluation").fill("A full disk");
  await page.evaluate(
    "IDBObjectStore.prototype.put = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError') }",
  );
  await start(page);
  await page
    .getByText("The browser could not store the last results (The quota has been exceeded.)")
    .waitFor();
  await expect.poll(() => counts(page).innerText()).toMatch(/^2 of 2 answers/);
  expect(await saved(page, "Answers as CSV")).toContain("line 1,Is it full?,yes,single,1,answered,yes,right");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("full disk");
  await page.getByRole("option", { name: /A full disk/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("evaluate");
  await page.getByRole("option", { name: /Screen.*Evaluate|Evaluate.*Screen/ }).waitFor();
});

test("a model that the service cannot ask is known before anything is sent, and the price of one that its settings do not name [UI-matrix]", async () => {
  const { url } = await startSimulated({
    ANTHROPIC_API_KEY: "not-a-real-key",
    MAKER_API_MODEL: "anthropic/claude-haiku-4-5",
  });
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  await begin(page, url, "Is it fine? => yes");
  await page.getByRole("button", { name: "Remove 2" }).click();
  await page.getByText(/^1 model calls, about \$/).waitFor();
  const model = page.getByRole("group", { name: /^1\./ }).getByLabel("Model");
  await model.fill("gpt-4o");
  await page.getByText(/^single, gpt-4o: .*gpt-4o/).waitFor();
  expect(await page.getByRole("button", { name: /^Start: / }).isDisabled()).toBe(true);
  await model.fill("anthropic/claude-opus-5");
  await page.getByText(/^1 model calls, about \$0\.00/).waitFor();
});

test("runs of a matrix that are older than the list of the latest are named in a comparison [UI-compare]", async () => {
  const { url } = await startSimulated();
  const old = await ask(url, { prompt: "Is the first one old?", intent: "validation" });
  for (let batch = 0; batch < 5; batch++)
    await Promise.all(
      Array.from({ length: 21 }, (_, n) =>
        ask(url, { prompt: `Is ${batch}.${n} new?`, intent: "validation", config: { k: 1 } }),
      ),
    );
  const latest = await ask(url, { prompt: "Is the last one new?", intent: "validation" });
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  await page.goto(`${url}/#/compare/${old}/${latest}`);
  const chosen = page.getByLabel("First run").locator("option:checked");
  await expect.poll(() => chosen.innerText()).toMatch(/ · complete · .* · Is the first one old\?$/);
});
