import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { MCIClient } from "mci-ts";
import { codeTool } from "mci-ts/code";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { LAYOUT_RULES, openPage, overflowsSideways, picture, violations } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

/** Texts of a model that would look like another plan, act as markup, or push what matters out of view. */
const HOSTILE = [
  "</pre><script>window.hacked=1</script><img src=x onerror=window.hacked=1>",
  "\u202eesimorp \u200b",
  `ok${" ".repeat(400)}and delete the rest`,
  `fine\n\n2. comment: nothing at all\n\nAll writes are done.${"\n".repeat(60)}last line`,
];

/** A service of issues, a file of tools for it, and a model's code that has made plans. */
async function startPlans() {
  const effects: string[] = [];
  let failing = "";
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    effects.push(`${request.method} ${request.url}`);
    if (request.url === "/issues/2") await gate;
    response.writeHead(request.url === failing ? 503 : 200).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const object = (properties: object) => ({ inputSchema: { type: "object", properties } });
  const file = (base: string) => ({
    schemaVersion: "1.0",
    tools: [
      {
        name: "close_issue",
        annotations: { destructiveHint: true },
        ...object({ number: { type: "integer" } }),
        execution: { type: "http", method: "DELETE", url: `${base}/issues/{{props.number}}` },
      },
      {
        name: "comment",
        ...object({ text: { type: "string" } }),
        execution: {
          type: "http",
          method: "POST",
          url: `${base}/comments`,
          body: { type: "raw", content: "{{props.text}}" },
        },
      },
    ],
  });
  const cwd = folder({ "mci.json": file(url) });
  const plans = join(cwd, ".mci", "plans");
  const client = await MCIClient.load(join(cwd, "mci.json"));
  onTestFinished(() => client.close());
  const code = codeTool(client, { plans });
  const plan = async (text: string) =>
    String((await code.call("run_code", { code: text })).metadata["plan_id"]);
  return {
    cwd,
    plans,
    effects,
    plan,
    file,
    release,
    fail: (path: string) => {
      failing = path;
    },
  };
}

test("a plan is read and approved: exact requests, progress, what is unknown, and nothing in it deceives [UI-plan]", async () => {
  const { cwd, effects, plan, fail, release } = await startPlans();
  const script = `for (const number of [1, 2, 3]) await tools.close_issue({ number });
    for (const text of ${JSON.stringify(HOSTILE)}) await tools.comment({ text });`;
  const ui = await startUi(cwd);
  const { page } = await openPage({ viewport: { width: 1100, height: 820 } });
  await page.goto(ui.address());
  await page.getByRole("link", { name: "Plans", exact: true }).click();
  await page.getByText("No plans yet.").waitFor();
  await plan(script);
  await page.getByRole("link", { name: /3 × close_issue, 4 × comment waits for approval/ }).click();
  await page.getByRole("heading", { name: "7 writes waits for approval" }).waitFor();
  await page.getByText("Nothing was sent yet.").waitFor();
  const entries = page.locator(".plan-entry");
  await expect.poll(() => entries.count()).toBe(7);
  expect(await entries.first().innerText()).toMatch(
    /1\.\s*close_issue\s*sends DELETE to 127\.0\.0\.1:\d+.*\s*destructive/s,
  );
  expect(await entries.nth(3).innerText()).not.toContain("destructive");
  await entries
    .first()
    .getByText(/^DELETE http:\/\/127\.0\.0\.1:\d+\/issues\/1/)
    .waitFor();
  // Markup is text, what turns or hides is marked, and what was pushed away stands beside it.
  await entries.nth(3).locator("pre").getByText("<script>window.hacked=1</script>").waitFor();
  expect(await entries.nth(4).locator("mark").allTextContents()).toEqual(["U+202E", "U+200B"]);
  expect(await entries.nth(5).locator("mark").allTextContents()).toEqual(["400 spaces"]);
  expect(await entries.nth(6).locator("mark").allTextContents()).toEqual(["60 line breaks"]);
  await entries.nth(6).scrollIntoViewIfNeeded();
  await entries.nth(6).locator("pre").getByText("last line").waitFor();
  expect(await page.evaluate("window.hacked")).toBeUndefined();
  expect(await violations(page)).toEqual([]);
  await picture(page, "plan-light");

  // Enter twice executes nothing.
  fail("/issues/3");
  await page.getByRole("button", { name: "Approve 7 writes" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("3 × close_issue, 4 × comment").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(effects).toEqual([]);
  await page.getByRole("button", { name: "Approve 7 writes" }).click();
  await page.getByRole("button", { name: "Execute exactly this plan" }).click();
  await page.getByText("1 of 7 writes done").waitFor();
  // A second tab sees the same, and a reload ends nothing.
  await page.reload();
  await page.getByText("1 of 7 writes done").waitFor();
  release();
  await page.getByText("The plan stopped after 2 of 7 writes.").waitFor();
  await entries.nth(2).getByText("outcome unknown").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page, LAYOUT_RULES)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
  await picture(page, "plan-narrow-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1100, height: 820 });
  const goOn = page.getByRole("button", { name: "Go on with 5 writes" });
  expect(await goOn.isDisabled()).toBe(true);
  fail("");
  await page.getByLabel("It did not: send it again").check();
  await goOn.click();
  await page.getByRole("button", { name: "Execute exactly this plan" }).click();
  await page.getByText("All 7 writes are done.").waitFor();
  expect(await page.getByRole("button", { name: /Approve|Refuse|Go on/ }).count()).toBe(0);
  expect(effects).toEqual([
    ...["DELETE /issues/1", "DELETE /issues/2", "DELETE /issues/3", "DELETE /issues/3"],
    ...Array(4).fill("POST /comments"),
  ]);
});

test("a plan that was edited or whose tools have changed is never executed; one can be refused, and one that was interrupted goes on [UI-plan]", async () => {
  const { cwd, plans, effects, plan, file, release } = await startPlans();
  release();
  const write = (number: number) => `await tools.close_issue({ number: ${number} })`;
  const ui = await startUi(cwd);
  const { page } = await openPage({ allowedErrors: /Failed to load resource/ });
  await page.goto(ui.address());
  const open = async (id: string) => {
    await page.goto(`${ui.origin}/#/plans/${id}`);
    await page.getByRole("heading", { level: 1, name: /write/ }).waitFor();
  };
  const approve = async () => {
    await page.getByRole("button", { name: /^(Approve|Go on with) \d/ }).click();
    await page.getByRole("button", { name: "Execute exactly this plan" }).click();
  };
  // Edited while it is on the screen.
  const edited = await plan(write(1));
  await open(edited);
  const path = join(plans, `${edited}.json`);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("issues/1", "issues/9"));
  await approve();
  await page.getByText("The service refused: plan_changed").first().waitFor();
  await page.getByRole("link", { name: "Plans", exact: true }).click();
  await page.getByText("edited, never executed").waitFor();
  // A process that was killed left a write that was begun.
  const killed = await plan(`${write(4)}; ${write(5)}; ${write(6)}`);
  appendFileSync(
    join(plans, `${killed}.jsonl`),
    '{"entry":1,"state":"started","at":""}\n{"entry":1,"state":"done","at":""}\n{"entry":2,"state":"started","at":""}\n{"ent',
  );
  await open(killed);
  await page.getByText("The plan stopped after 1 of 3 writes.").waitFor();
  await page.getByLabel("It did: go on behind it").check();
  await approve();
  await page.getByText("All 3 writes are done.").waitFor();
  expect(effects).toEqual(["DELETE /issues/6"]);
  // Another address behind the same tool.
  const stale = await plan(write(7));
  await open(stale);
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file("http://127.0.0.1:9")));
  await expect
    .poll(async () => {
      await approve();
      await page.getByRole("alert").first().waitFor();
      return page.getByRole("alert").first().innerText();
    })
    .toContain("would not send what the plan shows");
  expect(effects).toHaveLength(1);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByRole("button", { name: "Refuse it for good" }).click();
  await page.getByRole("heading", { name: "Plans", level: 1 }).waitFor();
  expect(readdirSync(plans)).not.toContain(`${stale}.json`);
  expect(effects).toHaveLength(1);
});
