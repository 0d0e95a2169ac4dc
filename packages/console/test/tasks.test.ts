import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model } from "@mci-ts/council";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyCluster } from "../../council-postgres/test/cluster.ts";
import { LAYOUT_RULES, openPage, overflowsSideways, picture, tabTo, violations } from "./support/browser.ts";
import { startSimulated, startWithModel } from "./support/servers.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 90_000 });

/** A service whose model counts, and is at odds with itself about the number after 6. */
async function startCounting(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "console-tasks-"));
  await copyCluster(dir);
  let calls = 0;
  const complete: Model["complete"] = async ({ messages }, signal) => {
    if (messages.at(-1)!.content.includes("Think forever"))
      await new Promise((_, reject) => signal.addEventListener("abort", reject));
    const n = Number(/The number is (\d+)/.exec(messages.at(-1)!.content)?.[1]);
    const call = ++calls;
    // From 100 on it counts slowly: enough steps to show a rate, and no more.
    await new Promise((resolve) => setTimeout(resolve, n < 100 ? 5 : 50));
    // The first vote of step 3 is wrong, too: contested, but decided.
    const answer = n === 6 ? 1000 + call : n === 2 && call === 7 ? 99 : n + 1;
    return {
      text: "",
      object: { rationale: "", answer: { n: answer } },
      finishReason: "stop" as const,
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.0001 },
      latencyMs: 5,
    };
  };
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return (await startWithModel(complete, { MCI_DATA_DIR: dir })).url;
}

test("a long task is started, watched, answered where it stayed undecided, forked, paused, resumed and cancelled; a reload keeps what was typed [UI-drafts]", async () => {
  const url = await startCounting();
  const { page } = await openPage({
    allowedErrors: /Failed to load resource/,
    viewport: { width: 1100, height: 820 },
  });
  // The browser's own notifications cannot be seen by a test: what the page tells them, and when.
  await page.addInitScript(`
    window.told = [];
    window.Notification = class {
      static permission = "granted";
      constructor(title, { body, tag }) { told.push([title, body, tag]); }
    };
    Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
  `);
  await page.goto(`${url}/#/tasks`);
  await page.getByText("No tasks yet.").waitFor();
  // The same task as a form and as JSON; what is not JSON is not sent.
  await page.getByText("It needs to know what is to be done.").waitFor();
  await page.getByRole("button", { name: "Fill in an example" }).click();
  await expect.poll(() => page.getByLabel("Question of each step").inputValue()).toContain("{{state.n}}");
  await page.getByLabel("State at the start").fill("{ n: 0");
  await page.getByText("The state is not JSON.").waitFor();
  expect(await page.getByRole("button", { name: "Start", exact: true }).isDisabled()).toBe(true);
  await page.getByLabel("State at the start").fill('{ "n": 0 }');
  await page.getByLabel("Name", { exact: true }).fill("");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const text = page.getByLabel("The task as JSON");
  const example = await text.inputValue();
  await text.fill(example.replace('"state.n >= `20`"', '"state.n >="'));
  await page.getByRole("button", { name: "Start", exact: true }).click();
  // The first task starts a database.
  const refused = page.getByRole("alert").filter({ hasText: "The service refused: invalid_request" });
  await refused.getByText("until", { exact: true }).waitFor({ timeout: 90_000 });
  await text.fill(example.replace(">= `20`", ">= `12`"));
  await page.reload();
  await expect.poll(() => text.inputValue()).toContain(">= `12`");
  await page.getByRole("button", { name: "Start", exact: true }).click();

  await page.evaluate("window.isAway = true");
  await page.getByText("paused: undecided").waitFor({ timeout: 60_000 });
  const told = () => page.evaluate<readonly string[][]>("told");
  await expect
    .poll(told, { timeout: 15_000 })
    .toEqual([
      ["A step waits for your answer", expect.stringContaining("The number is"), expect.any(String)],
    ]);
  await page.evaluate("window.isAway = false");
  const fact = (name: string) => page.locator(".fact", { has: page.getByText(name, { exact: true }) });
  await fact("Steps").getByText("6 of at most 100").waitFor();
  await fact("Contested").getByText("1", { exact: true }).waitFor();
  expect(await fact("Cost").innerText()).toMatch(/\$0\.00\d+/);
  // Without a name it goes by its first words; what waits for a person is counted in the menu and listed.
  await page.getByRole("heading", { name: "The number is {{state.n}}. Which one follows?" }).waitFor();
  await page.getByRole("link", { name: /^Tasks\s*, 1 task waiting for you$/ }).waitFor();
  // What the models were asked and replied stands beside the answer form.
  const question = page.getByRole("region", { name: "Answer step 7" });
  await question.getByText("The number is 6. Which one follows?").waitFor();
  await question.getByRole("region", { name: "Votes of step 7" }).getByText("1 vote").first().waitFor();
  await question.getByText("Every reply").click();
  await question.getByText(/\[#1 vote .*: accepted\]/).waitFor();
  const strip = page.getByRole("region", { name: "The whole task" });
  await strip.getByRole("button", { name: /^Step 3, 1 contested/ }).waitFor();
  await strip.getByLabel("Step number").fill("2");
  // While the steps are on their way, the heading is of those that are shown.
  const held = Promise.withResolvers<void>();
  await page.route(/steps\?from=2&/, async (route) => {
    await held.promise;
    await route.continue();
  });
  const heading = page.getByRole("region", { name: "Steps", exact: true }).getByRole("heading");
  await strip.getByRole("button", { name: "Go to step" }).click();
  await page.getByRole("button", { name: "Later", disabled: false }).waitFor();
  expect(await heading.innerText()).toMatch(/1 to 6 of 6/);
  held.resolve();
  await page.getByText("2 to 6 of 6").waitFor();
  // The step that was asked for is the one that is shown, marked and focused, though the list begins with the newest.
  const sought = page.locator(".task-steps [aria-current]");
  await sought.getByText("2", { exact: true }).waitFor();
  await expect.poll(() => page.locator(".task-steps [aria-current]:focus").count()).toBe(1);
  await page.getByRole("button", { name: "Later" }).click();
  const steps = page.getByRole("region", { name: "Steps", exact: true });
  await steps.getByText('{"n":99}', { exact: true }).waitFor();
  await page.getByLabel("Only contested").check();
  await expect.poll(() => steps.locator(".step-answer").count()).toBe(1);
  await page.getByLabel("Only contested").uncheck();
  expect(await violations(page)).toEqual([]);
  await picture(page, "task-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "task-dark");
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await violations(page, LAYOUT_RULES)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1100, height: 820 });

  const answer = page.getByRole("region", { name: "Answer step 7" });
  await answer.getByRole("button", { name: "Edit as JSON" }).click();
  // What is not JSON says so, is there again after a reload, and is not given up for the form.
  const asJson = answer.getByRole("textbox", { name: "Answer as JSON" });
  await asJson.fill('{"n": 7');
  await answer.getByText("Not an input").waitFor();
  expect(await answer.getByRole("button", { name: "Answer and go on" }).isDisabled()).toBe(true);
  await page.reload();
  await expect.poll(() => asJson.inputValue()).toBe('{"n": 7');
  expect(await answer.getByRole("button", { name: "Edit as form" }).isDisabled()).toBe(true);
  await asJson.fill('{"n": "seven"}');
  await answer.getByRole("button", { name: "Answer and go on" }).click();
  await answer.getByText("/n This must be an integer.").waitFor();
  await answer.getByText("Not sent: one field is missing or wrong.").waitFor();
  await answer.getByRole("button", { name: "Edit as form" }).click();
  await answer.getByLabel("n required").fill("7");
  await answer.getByRole("button", { name: "Answer and go on" }).click();
  await fact("Status").getByText("complete").waitFor({ timeout: 60_000 });
  await steps.getByText("by a person").waitFor();
  const first = page.url();

  await page.getByRole("button", { name: "Fork before step 3" }).click();
  await page.getByText("/fork?step=3").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  expect(page.url()).toBe(first);
  await page.getByRole("button", { name: "Fork before step 3" }).click();
  await page.getByRole("button", { name: "Start the fork" }).click();
  await page.getByText("Forked from another task at step 3.").waitFor();
  expect(page.url()).not.toBe(first);
  await page.getByText("paused: undecided").waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Cancel task" }).click();
  await page.getByRole("button", { name: "Go back" }).click();
  await page.getByText("paused: undecided").waitFor();
  await page.getByRole("button", { name: "Cancel task" }).click();
  await page.getByRole("button", { name: "Cancel it for good" }).click();
  await fact("Status").getByText("cancelled").waitFor();

  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await expect.poll(() => page.locator(".task-row").count()).toBe(2);
  await page.getByText("Start a task").click();
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await text.fill(
    example
      .replace(">= `20`", ">= `100000`")
      .replace('"n": 0', '"n": 100')
      .replace('"max_steps": 100', '"max_steps": 100000'),
  );
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect.poll(() => fact("Rate").innerText(), { timeout: 30_000 }).toMatch(/[1-9][\d.]* per second/);
  await fact("Time left").getByText("at most").waitFor();
  // With the keyboard alone; the button that was pressed keeps the focus.
  await tabTo(page, /^Pause$/);
  await page.keyboard.press("Enter");
  await page.getByText("paused: requested").waitFor();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.keyboard.press("Enter");
  await fact("Status").getByText("running").waitFor();
  await tabTo(page, /^Cancel task$/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Cancel it for good$/);
  await page.keyboard.press("Enter");
  await fact("Status").getByText("cancelled").waitFor();
  // The strip is one stop, however many parts it has; arrow keys move inside of it.
  await tabTo(page, /^Steps? 1[ ,]/);
  await tabTo(page, /^Steps? [2-9]\d*[ ,]/, "ArrowRight");
  await tabTo(page, /^Steps? 1[ ,]/, "Home");
  await tabTo(page, /^Fork before step/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Start the fork$/);
  await page.keyboard.press("Enter");
  await page.getByText(/^Forked from/).waitFor();
  await tabTo(page, /^Cancel task$/);
  await page.keyboard.press("Space");
  await tabTo(page, /^Cancel it for good$/);
  await page.keyboard.press("Space");
  await fact("Status").getByText("cancelled").waitFor();

  const asked = await fetch(`${url}/mcp/model`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ prompt: "Think forever" }),
  });
  const { id } = (await asked.json()) as { id: string };
  await page.goto(`${url}/#/runs/${id}`);
  await page.getByRole("button", { name: "Cancel run" }).waitFor();
  await tabTo(page, /^Cancel run$/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Cancel it for good$/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cancel run" }).waitFor({ state: "detached" });
  expect(await (await fetch(`${url}/runs/${id}`)).json()).toMatchObject({ status: "cancelled" });
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByText("Status: all").first().waitFor({ state: "attached" });
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowsSideways(page)).toBe(false);
});

test("a task that failed is retried and followed again; one that is over or paused is deleted once that is confirmed", async () => {
  const url = await startCounting();
  const { page } = await openPage({ allowedErrors: /Failed to load resource/ });
  const create = async (more: object) => {
    const response = await fetch(`${url}/tasks`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        ...{ kind: "steps", state: { n: 0 }, until: "state.n >= `4`", config: { k: 3 } },
        step: {
          prompt: "The number is {{state.n}}. Which one follows?",
          answer: {
            ...{ type: "object", properties: { n: { type: "integer" } } },
            ...{ required: ["n"], additionalProperties: false },
          },
          next: "{ n: answer.n }",
        },
        ...more,
      }),
    });
    const task = (await response.json()) as { id: string };
    expect([response.status, JSON.stringify(task)]).toEqual([202, expect.stringContaining('"id"')]);
    return task.id;
  };
  const status = page.locator(".fact", { has: page.getByText("Status", { exact: true }) });
  const id = await create({ max_steps: 2 });
  await page.goto(`${url}/#/tasks/${id}`);
  await status.getByText("failed").waitFor({ timeout: 90_000 });
  // It fails again, for the same reason; the page follows it there.
  const retried = page.waitForResponse((response) => response.url().endsWith(`/tasks/${id}/retry`));
  const followed = page.waitForResponse((response) => response.url().includes(`/tasks/${id}/events`));
  await tabTo(page, /^Retry$/);
  await page.keyboard.press("Enter");
  expect((await retried).status()).toBe(200);
  await followed;
  await status.getByText("failed").waitFor();
  await page.getByRole("button", { name: "Retry" }).waitFor();
  expect(await violations(page)).toEqual([]);

  await tabTo(page, /^Delete$/);
  await page.keyboard.press("Enter");
  await page.getByText(`DELETE /tasks/${id}`).waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  expect((await fetch(`${url}/tasks/${id}`)).status).toBe(200);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete it for good" }).click();
  await page.waitForURL(/#\/tasks$/);
  expect((await fetch(`${url}/tasks/${id}`)).status).toBe(404);
  await expect.poll(() => page.locator(".task-row").count()).toBe(0);

  // One that is gone meanwhile says so, and stays on the page.
  const other = await create({});
  await page.goto(`${url}/#/tasks/${other}`);
  await status.getByText("complete").waitFor({ timeout: 60_000 });
  expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
  await fetch(`${url}/tasks/${other}`, { method: "DELETE" });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete it for good" }).click();
  await page.getByText("Not found", { exact: true }).waitFor();
  expect(page.url()).toContain(other);
});

test("[UI-task-rests] a task that does not move says for how long and where, one whose provider is away when it goes on", async () => {
  const { url } = await startSimulated();
  const { page } = await openPage({ allowedErrors: /Failed to load resource/ });
  const task = {
    ...{
      id: "t",
      kind: "steps",
      name: null,
      title: "Count",
      step: 3,
      steps: 10,
      state: {},
      contested: 0,
      rate: 0,
    },
    ...{ time_left_ms: null, answer_schema: {}, created_at: "2026-01-01T00:00:00Z", ended_at: null },
    ...{
      started_at: "2026-01-01T00:00:00Z",
      usage: { calls: 6, input_tokens: 0, output_tokens: 0, cost_usd: null },
    },
  };
  let count = 0;
  /** Each as a task of its own. Its stream of events stays open. */
  const show = async (more: object) => {
    const id = `t${++count}`;
    await page.route(`**/tasks/${id}`, (route) => route.fulfill({ json: { ...task, id, ...more } }));
    await page.route(`**/tasks/${id}/events`, () => undefined);
    await page.goto(`${url}/#/tasks/${id}`);
  };
  await show({ status: "running", instance: "1a2b3c4d-90af", running_since: "2026-01-01T00:00:00Z" });
  await page.getByText("1a2b3c4d-90af, for").waitFor();
  expect(await page.getByText("longer than one step may take").count()).toBe(0);
  await show({ status: "running", instance: "1a2b3c4d-90af", stalled_ms: 600_000 });
  await page
    .getByText(/Nothing was decided for 10 min 0 s, longer than .* has it, 1a2b3c4d-90af\./)
    .waitFor();
  const error = { code: "transport", message: "The model could not be reached." };
  await show({ status: "paused", error, retry_at: "2026-01-02T00:00:00Z", retries: 0 });
  await page.getByText(/^It resumes by itself at .*2026.*\. Resume does not wait for that\.$/).waitFor();
  await show({ status: "paused", error, retry_at: "2026-01-02T00:00:00Z", retries: 2 });
  await page.getByText(/2026.*, and has done so 2 times since its last step\./).waitFor();
  expect(await violations(page)).toEqual([]);
});
