import { expect, test, vi } from "vitest";
import { openPage } from "./support/browser.ts";
import { startService, startSimulated } from "./support/servers.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const LATENCY = { median_ms: 60, sigma: 0.5 };

async function ask(page: Awaited<ReturnType<typeof openPage>>["page"], prompt: string, method?: string) {
  await page.getByLabel("Question or task").fill(prompt);
  if (method !== undefined) {
    await page.locator("summary", { hasText: "Options" }).click();
    await page.getByLabel("Method").selectOption({ label: method });
  }
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

test("a contested vote runs as a race, and its replay ends as it ended live", async () => {
  const { url } = await startService(
    {},
    { behaviour: { accuracy: 0.65, latency: LATENCY, rates: { length: 0.1 } } as never },
  );
  const { page } = await openPage();
  await page.goto(url);
  await ask(page, "Is it safe to store passwords with bcrypt? Answer yes or no.", "Vote");
  await page.getByText(/won: \d+ to \d+/).waitFor({ timeout: 60_000 });
  const race = page.getByRole("region", { name: "The vote" });
  await page
    .getByLabel(/Position|Event/)
    .first()
    .waitFor();
  const live = await race.innerText();
  const slider = page.getByRole("slider");
  const last = await slider.getAttribute("max");
  await slider.fill("3");
  expect(await page.locator("main").innerText()).not.toContain("won:");
  await slider.fill(last!);
  await expect.poll(() => race.innerText()).toBe(live);
});

test("a council shows its seats, and a decomposition its graph", async () => {
  const { url } = await startSimulated();
  const { page } = await openPage();
  await page.goto(url);
  await page.getByText("Simulated model").waitFor();
  await ask(page, "Should a team of five split its monolith?", "Council with a judge");
  await page.getByRole("heading", { name: "Seat 1" }).waitFor();
  await page.getByRole("heading", { name: "Report", exact: true }).waitFor();
  await page.getByText("Simulated model").waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await ask(page, "Break down the task of moving a database.", "Decompose into steps");
  await page.getByRole("region", { name: "Graph of the steps" }).waitFor();
  await page.getByRole("button", { name: "Show as list" }).click();
  await page.getByRole("listitem").first().waitFor();
});

test("the history is searched by words of prompts and answers", async () => {
  const { url } = await startSimulated();
  for (const prompt of ["Are cats better than dogs?", "Is tea better than coffee?"]) {
    await fetch(`${url}/mcp/model`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt, intent: "validation" }),
    });
  }
  const { page } = await openPage();
  await page.goto(`${url}/#/runs`);
  await page.getByText("Are cats better").waitFor();
  await page.getByPlaceholder("Search prompts and answers").fill("coff");
  await page.getByText("Are cats better").waitFor({ state: "detached" });
  await page.getByText("Is tea better").waitFor();
  await page.getByPlaceholder("Search prompts and answers").fill("nothing like it");
  await page.getByText("No run matches.").waitFor();
});

test("a run is cancelled, and two runs stand side by side", async () => {
  const { url } = await startService({}, { rules: [{ reply: { kind: "hang" } }] });
  const { page } = await openPage();
  await page.goto(url);
  await ask(page, "Will this ever end?", "Vote");
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page
    .getByText(/cancelled/i)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByLabel("Second run").selectOption({ index: 1 });
  await expect.poll(() => page.locator(".compare .run, .compare .state-panel").count()).toBeGreaterThan(1);
});

test("the service shows the tools that MCI_TOOLS names, read-only", async () => {
  const file = new URL("../../../examples/quickstart/tools.mci.json", import.meta.url).pathname;
  const { url } = await startSimulated({ MCI_TOOLS: file });
  const { page } = await openPage();
  await page.goto(url);
  await page.getByLabel("Question or task").waitFor();
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Preview: nothing was sent").waitFor();
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("Hello Ada!").last().waitFor();
  await page.getByRole("link", { name: "File", exact: true }).click();
  await page.getByText("Read-only").waitFor();
  const saved = await fetch(`${url}/api/file`, { method: "PUT" });
  expect(saved.status).toBe(405);
});

test("a service without MCI_TOOLS has no tools in its menu", async () => {
  const { url } = await startSimulated();
  const { page } = await openPage();
  await page.goto(url);
  await page.getByRole("link", { name: "History" }).waitFor();
  expect(await page.getByRole("link", { name: "Tools", exact: true }).count()).toBe(0);
});
