import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { callTool, openPage } from "./support/browser.ts";
import { ask as askDirectly, INVOICE_SCHEMA } from "./support/demo.ts";
import { startService, startSimulated } from "./support/servers.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const LATENCY = { median_ms: 60, sigma: 0.5 };
const json = (value: object) => ({ kind: "text" as const, text: JSON.stringify(value) });

async function ask(page: Page, prompt: string, method?: string) {
  await page.getByLabel("Question or task").fill(prompt);
  if (method !== undefined) {
    await page.locator("summary", { hasText: "Options" }).click();
    await page.getByLabel("Method").selectOption({ label: method });
  }
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

test("a contested vote runs as a race, and its replay ends as it ended live; answers that are objects are shown by the fields that count; a draft survives a reload [UI-drafts] [UI-objects]", async () => {
  const answer = (total: number, reason: string) =>
    json({ rationale: "…", answer: { invoice: "R-17", total, reason } });
  // At once: the odd one comes first, and is counted before the vote is decided.
  const invoice = { contains: "Which invoice", delay_ms: 0 };
  const { url } = await startService({}, {
    rules: [
      { ...invoice, times: 1, reply: answer(101.26, "The sum of the lines.") },
      { ...invoice, reply: answer(120.5, "Stated in the last line.") },
    ],
    behaviour: { accuracy: 0.65, latency: LATENCY, rates: { length: 0.1 } },
  } as never);
  const { page } = await openPage();
  await page.goto(url);
  await page.getByLabel("Question or task").fill("A draft");
  await page.reload();
  await expect.poll(() => page.getByLabel("Question or task").inputValue()).toBe("A draft");
  await ask(page, "Is it safe to store passwords with bcrypt? Answer yes or no.", "Vote");
  await page.getByText(/won: \d+ to \d+/).waitFor({ timeout: 60_000 });
  const race = page.getByRole("region", { name: "The vote" });
  const slider = page.getByRole("slider");
  const last = await slider.getAttribute("max");
  const live = await page.locator(".run").innerText();
  await slider.fill("3");
  expect(await page.locator("main").innerText()).not.toContain("won:");
  await race.getByText(/First to be 3 ahead wins/).waitFor();
  await slider.fill(last!);
  await expect.poll(() => page.locator(".run").innerText()).toBe(live);
  // Somewhere in the middle: what leads, by how much, what is needed, in words and as hollow dots.
  await page.getByRole("button", { name: "One event back" }).focus();
  for (let at = Number(last) - 1; at > 0; at--) {
    await page.keyboard.press("Enter");
    if (await race.getByText(/leads by [12]\. [12] more votes? in a row decides?/).isVisible()) break;
  }
  await race.locator(".dot.needed").first().waitFor();

  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.locator("summary", { hasText: "Options" }).click();
  await page.getByLabel("Answer schema").fill("{ no JSON");
  await page.getByText("The answer schema is not JSON").waitFor();
  expect(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true);
  await page.getByLabel("Answer schema").fill(JSON.stringify(INVOICE_SCHEMA));
  await page.locator("summary", { hasText: "Options" }).click();
  await ask(page, "Which invoice does the text state? Answer with its number and its total.", "Vote");
  await page.getByText("“invoice R-17, total 120.5” won: 4 to 1.").waitFor();
  const fields = page.getByRole("region", { name: "Fields of the answer" });
  await fields.getByRole("row", { name: "total 120.5 counted", exact: true }).waitFor();
  await fields.getByRole("row", { name: "reason Stated in the last line. not counted" }).waitFor();
  await page
    .getByRole("region", { name: "The vote" })
    .getByText(/^total 101.26$/)
    .waitFor();
  // Asked again, the form is as it was.
  await page.getByRole("link", { name: "Ask again" }).click();
  await page.getByText("Options", { exact: true }).click();
  await expect.poll(() => page.getByLabel("Answer schema").inputValue()).toContain('"x-vote": false');
});

test("a council shows its seats, a decomposition its graph, and simulated answers say so; the history is searched by words, and an answer from it says so [UI-history]", async () => {
  const { url } = await startSimulated();
  for (const prompt of ["Are cats better than dogs?", "Is tea better than coffee?"])
    await askDirectly(url, { prompt, intent: "validation" });
  const { page } = await openPage();
  await page.goto(url);
  await page.getByText("Simulated model").waitFor();
  // No tools, no menu for them.
  expect(await page.getByRole("link", { name: "Tools", exact: true }).count()).toBe(0);
  await ask(page, "Should a team of five split its monolith?\nWeigh the costs.", "Council with a judge");
  await page.getByRole("heading", { name: "Seat 1" }).waitFor();
  await page.getByRole("heading", { name: "Report", exact: true }).waitFor();
  await page.getByText("Simulated: no language model was asked.", { exact: true }).waitFor();
  await page.getByText("simulated, no cost").waitFor();
  // The tab and the heading have the first line, the whole prompt is one click away.
  expect(await page.title()).toBe("Should a team of five split its monolith?… – MCI console");
  await page.getByText("The whole prompt").click();
  await page.locator(".whole-prompt pre").getByText("Weigh the costs.").waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await ask(page, "Break down the task of moving a database.", "Decompose into steps");
  await page.getByRole("region", { name: "Graph of the steps" }).waitFor();
  await page.getByRole("button", { name: "Show as list" }).click();
  await page.getByRole("listitem").first().waitFor();
  await page.getByText("Simulated model").waitFor();

  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Are cats better than dogs?", { exact: true }).waitFor();
  await page.getByPlaceholder("Search prompts and answers").fill("coff");
  await page.getByText("Are cats better than dogs?", { exact: true }).waitFor({ state: "detached" });
  await page.getByText("Is tea better than coffee?", { exact: true }).waitFor();
  await page.getByPlaceholder("Search prompts and answers").fill("nothing like it");
  await page.getByText("No run matches.").waitFor();
  await page.getByRole("link", { name: "Ask something" }).click();
  await page.locator("summary", { hasText: "Options" }).click();
  await page.getByLabel("Use the answer of an equal question").check();
  await page.locator("summary", { hasText: "Options" }).click();
  await ask(page, "Is tea better than coffee?", "Vote");
  await page.getByText("From the cache: an equal question was answered").waitFor();
});

test("the seats' ranking of each other stands beside the judge's decision; a run is cancelled, and two runs stand side by side [UI-ranking] [UI-compare]", async () => {
  const seat = (answer: string) => json({ proposal: `The case for ${answer}.`, answer });
  const { url } = await startService({}, {
    rules: [
      { contains: "Will this ever end?", reply: { kind: "hang" } },
      ...["tea", "tea", "tea", "coffee"].map((answer) => ({
        contains: "You hold one seat",
        times: 1,
        reply: seat(answer),
      })),
      {
        contains: "You are the judge",
        reply: json({
          ...{ consensus: [], contradictions: [], gaps: [], dissent: ["Three hold tea."] },
          ...{ decision: "Coffee.", answer: "coffee" },
        }),
      },
    ],
  } as never);
  const { page } = await openPage();
  await page.goto(url);
  await page.locator("summary", { hasText: "Options" }).click();
  await page.getByRole("spinbutton", { name: /^Seats/ }).fill("4");
  await page.getByLabel("Seats rank each other's proposals").check();
  await page.locator("summary", { hasText: "Options" }).click();
  await ask(page, "What shall we drink in the morning?", "Council with a judge");
  const ranking = page.getByRole("region", { name: "Peer ranking" });
  await ranking.getByText("The judge decided for another answer").waitFor();
  const [first, , , last] = await ranking.locator(".score").allInnerTexts();
  // Seats ask at the same time: which of them gets the reply for coffee is chance.
  expect(first).toMatch(/Seat \d tea/);
  expect(last).toMatch(/Seat \d coffee/);
  await ranking.getByText("Who ranked how").click();
  await ranking.getByText(/Seat 4: seat \d, then seat \d, then seat \d/).waitFor();
  await page.getByText("Three hold tea.", { exact: true }).waitFor();

  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await ask(page, "Will this ever end?", "Vote");
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("button", { name: "Cancel it for good" }).click();
  await page
    .getByText(/cancelled/i)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByLabel("Second run").selectOption({ index: 1 });
  await expect.poll(() => page.locator(".compare .run, .compare .state-panel").count()).toBeGreaterThan(1);
});

test("while a run goes on it shows what it cost so far and which tools its voters use", async () => {
  const cwd = folder({
    "prices.json": { sim: { input: 1000, output: 1000 } },
    "tools.mci.json": {
      schemaVersion: "1.0",
      tools: [
        {
          name: "look_up",
          annotations: { readOnlyHint: true },
          inputSchema: { type: "object", properties: { word: { type: "string" } } },
          execution: { type: "text", text: "Found: {{props.word}}" },
        },
      ],
    },
  });
  const { url } = await startService(
    { MCI_TOOLS: join(cwd, "tools.mci.json"), MCI_PRICES: join(cwd, "prices.json") },
    {
      rules: [
        {
          without: "Found: bcrypt",
          reply: { kind: "tool_call", tool: "look_up", input: { word: "bcrypt" } },
        },
        { times: 2, reply: { kind: "answer", answer: "yes" } },
        { reply: { kind: "answer", answer: "yes" }, delay_ms: 1500 },
      ],
    } as never,
  );
  const { page } = await openPage();
  await page.goto(url);
  await ask(page, "Is it safe to store passwords with bcrypt? Answer yes or no.", "Vote");
  const cost = page.locator(".fact", { hasText: "Cost" });
  await cost.getByText("so far").waitFor();
  await page.getByText("“yes” leads by 2. 1 more vote in a row decides.").waitFor();
  const before = dollars(await cost.innerText());
  expect(before).toBeGreaterThan(0);
  const tools = page.getByRole("region", { name: "Tools used" });
  await tools.getByText("Found: bcrypt").waitFor();
  await page.getByText(/won: 3 to 0/).waitFor();
  await tools.getByText("asked for 3 times, called once").waitFor();
  expect(dollars(await cost.innerText())).toBeGreaterThan(before);
});

test("the service shows the tools that MCI_TOOLS names, read-only, and an edit of the file at once", async () => {
  const file = join(folder(), "tools.mci.json");
  copyFileSync(new URL("../../../examples/quickstart/tools.mci.json", import.meta.url), file);
  const { url, close } = await startSimulated({ MCI_TOOLS: file });
  const { page } = await openPage({ allowedErrors: /ERR_|net::/ });
  await page.goto(url);
  await page.getByLabel("Question or task").waitFor();
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Preview: nothing was sent").waitFor();
  await callTool(page);
  await page.getByText("Hello Ada!").last().waitFor();

  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("Greet a person by name", "Says hello"));
  await page.getByText("Says hello").first().waitFor();
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Ada");
  writeFileSync(file, "{ broken");
  await page.getByText("The file cannot be loaded").waitFor();
  await page.getByRole("link", { name: /greet/ }).waitFor();
  writeFileSync(file, text);
  await page.getByText("The file cannot be loaded").waitFor({ state: "detached" });

  // An edit while the service was away is seen, too.
  await close();
  writeFileSync(file, text.replace("Greet a person by name", "Says goodbye"));
  await startSimulated({ MCI_TOOLS: file, PORT: new URL(url).port });
  await page.getByText("Says goodbye").first().waitFor();
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Ada");

  await page.getByRole("link", { name: "File", exact: true }).click();
  await page.getByText("Read-only").waitFor();
  const saved = await fetch(`${url}/api/file`, { method: "PUT" });
  expect(saved.status).toBe(405);
});

function dollars(text: string): number {
  return Number(/\$([\d.]+)/.exec(text)?.[1]);
}
