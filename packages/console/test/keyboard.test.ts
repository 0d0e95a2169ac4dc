import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model } from "@mci-ts/council";
import { MCIClient } from "mci-ts";
import { codeTool } from "mci-ts/code";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { copyCluster } from "../../council-postgres/test/cluster.ts";
import { openPage } from "./support/browser.ts";
import { Keyboard, pressAtOnce } from "./support/keyboard.ts";
import { startService, startSite, startUi, startWithModel } from "./support/servers.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 90_000 });

const EXPECTED = /Failed to load resource|ERR_|net::/;

/** A file whose DELETE is received by this machine. */
async function startTools() {
  const received: string[] = [];
  const site = await startSite((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end("{}");
  });
  const cwd = folder({
    "mci.json": `${JSON.stringify(
      {
        schemaVersion: "1.0",
        tools: [
          {
            name: "drop_table",
            description: "Removes a table",
            annotations: { destructiveHint: true },
            inputSchema: {
              type: "object",
              properties: { name: { type: "string" }, note: { type: "string" } },
              required: ["name"],
            },
            execution: { type: "http", method: "DELETE", url: `${site}/tables/{{props.name}}` },
          },
          ...Array.from({ length: 30 }, (_, index) => ({
            name: `other_${index}`,
            execution: { type: "text", text: "x" },
          })),
        ],
      },
      undefined,
      2,
    )}\n`,
  });
  return { cwd, received, site };
}

test("with the keyboard alone: any screen by Ctrl+K, a destructive tool after its question, a file edited and saved [UI-keyboard]", async () => {
  const { cwd, received } = await startTools();
  const ui = await startUi(cwd);
  const { page } = await openPage({
    allowedErrors: EXPECTED,
    viewport: { width: 1280, height: 720 },
    fresh: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const keys = new Keyboard(page);
  await page.goto(ui.address());
  await page.getByText("Choose a tool").waitFor();

  for (const [words, heading] of [
    ["calls", "Calls"],
    ["plans", "Plans"],
    ["variables", "Variables and servers"],
    ["file", "mci.json"],
    ["tools", "Tools"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await keys.has(/^Search everything$/);
    await keys.type(words);
    await keys.press("Enter");
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await keys.seesFocus();
  }
  // Escape goes back to where one was.
  await keys.to(/^Search tools|^Tools$/);
  const { name: before } = await keys.focus();
  await page.keyboard.press("Control+k");
  await keys.has(/^Search everything$/);
  await keys.press("Escape");
  expect((await keys.focus()).name).toBe(before);

  await page.keyboard.press("Control+k");
  await keys.has(/^Search everything$/);
  await keys.type("drop");
  await keys.press("Enter");
  await page.getByRole("heading", { name: "drop_table" }).waitFor();
  await keys.has(/^drop_table$/);
  keys.takeKeys();
  await keys.to(/^name/);
  await keys.type("people");
  // Enter asks, with the exact request; a second Enter goes back, to the field.
  await keys.press("Enter");
  const question = page.getByRole("dialog", { name: "Call drop_table?" });
  await question.getByText(/^DELETE http:\/\/localhost:\d+\/tables\/people/).waitFor();
  await keys.has(/^Go back$/);
  await keys.press("Enter");
  await question.waitFor({ state: "detached" });
  await keys.has(/^name/);
  await keys.press("Enter");
  await keys.has(/^Go back$/);
  await keys.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(received).toEqual([]);
  await keys.press("Enter");
  await question.getByText(/^DELETE/).waitFor();
  await keys.to(/^Send it$/);
  await keys.press("Enter");
  await page.getByRole("region", { name: "Result" }).waitFor();
  await keys.has(/^name/);
  expect(received).toEqual(["DELETE /tables/people"]);
  expect(keys.takeKeys()).toBeLessThan(15);
  // However long a text gets, its field stays the same one; line breaks that are pasted are not dropped.
  await keys.to(/^note/);
  await keys.type("a word ".repeat(20));
  await keys.has(/^note/);
  expect(await page.getByLabel("note").inputValue()).toBe("a word ".repeat(20));
  await page.evaluate("navigator.clipboard.writeText('one\\ntwo')");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
  await expect.poll(() => page.getByLabel("note").inputValue()).toBe("one\ntwo");
  await keys.has(/^note/);
  // The request can be read without sending it, and the button that shows it keeps the focus.
  await keys.to(/^Preview$/);
  await keys.press("Enter");
  await page.getByText("Preview: nothing was sent").waitFor();
  await keys.has(/^Preview$/);
  await keys.to(/^What was sent and received$/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: /^DELETE 200/ }).waitFor();
  await keys.to(/^Edit and send again$/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: "drop_table" }).waitFor();

  await page.keyboard.press("Control+k");
  await keys.has(/^Search everything$/);
  await keys.type("file");
  await keys.press("Enter");
  await page.getByRole("heading", { name: "mci.json" }).waitFor();
  keys.takeKeys();
  await keys.to(/^The file$/, "Tab", 8);
  await page.keyboard.press("Control+Home");
  await keys.type(" ");
  await page.getByText("Not saved").waitFor();
  // Away and back: the edit is there, and can be discarded or saved.
  await page.keyboard.press("Control+k");
  await keys.has(/^Search everything$/);
  await keys.type("calls");
  await keys.press("Enter");
  await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
  await page.goBack();
  await page.getByText("These are your edits that were not saved.").waitFor();
  await keys.seesFocus();
  await keys.to(/^Discard them$/, "Shift+Tab");
  await keys.press("Enter");
  await page.getByText("These are your edits").waitFor({ state: "detached" });
  await keys.seesFocus();
  await keys.to(/^The file$/);
  await page.keyboard.press("Control+Home");
  await keys.type(" ");
  await page.getByText("Not saved").waitFor();
  await keys.press("Escape");
  await keys.to(/^Save$/, "Shift+Tab");
  await keys.press("Enter");
  await page.getByText("Saved", { exact: true }).waitFor();
  await keys.seesFocus();
  expect(readFileSync(join(cwd, "mci.json"), "utf8")).toMatch(/^ \{/);
});

test("keys that follow each other at once: the palette opens again, Tab leaves the editor and changes nothing, options are there [UI-keyboard]", async () => {
  const { page } = await openPage({ allowedErrors: EXPECTED, fresh: true });
  const keys = new Keyboard(page);
  await page.goto((await startService()).url);
  await keys.has(/^Question or task/);
  await keys.to(/^Options$/);
  await pressAtOnce(page, ["Enter", "Tab"]);
  await keys.has(/^Method/);
  // Again and again, because what a page puts off may come in time by chance.
  for (let round = 0; round < 3; round++) {
    await page.keyboard.press("Control+k");
    await keys.has(/^Search everything$/);
    await pressAtOnce(page, ["Escape", "Control+k"]);
    await page.evaluate("new Promise((drawn) => setTimeout(drawn, 100))");
    await keys.has(/^Search everything$/);
    await keys.press("Escape");
    await keys.has(/^Method/);
  }
  const ui = await startUi((await startTools()).cwd);
  await page.goto(ui.address());
  await page.getByText("Choose a tool").waitFor();
  // A question that is closed and asked again at once stays.
  await page.goto(`${ui.origin}/#/tools/drop_table`);
  await page.getByLabel("name required").fill("people");
  await keys.to(/^Call$/);
  await keys.press("Enter");
  for (const back of ["Escape", "Enter"]) {
    await keys.has(/^Go back$/);
    await pressAtOnce(page, [back, "Enter"]);
    await page.evaluate("new Promise((drawn) => setTimeout(drawn, 100))");
  }
  await keys.has(/^Go back$/);
  await keys.press("Escape");
  await page.goto(`${ui.origin}/#/file`);
  await page.getByRole("heading", { name: "mci.json" }).waitFor();
  for (let round = 0; round < 3; round++) {
    await keys.to(/^The file$/);
    await page.keyboard.press("Control+Home");
    await pressAtOnce(page, [" ", "Escape", "Shift+Tab"]);
    await keys.has(/^Unfold all$/);
    await page.getByText("Not saved").waitFor();
  }
});

test("with the keyboard alone: a plan is read, approved or refused [UI-keyboard]", async () => {
  const { cwd, received } = await startTools();
  const ui = await startUi(cwd);
  const client = await MCIClient.load(join(cwd, "mci.json"));
  onTestFinished(() => client.close());
  const code = codeTool(client, { plans: join(cwd, ".mci", "plans") });
  for (const name of ["first", "second"])
    await code.call("run_code", { code: `await tools.drop_table({ name: "${name}" })` });
  const { page } = await openPage({ allowedErrors: EXPECTED, viewport: { width: 1280, height: 720 } });
  const keys = new Keyboard(page);
  await page.goto(ui.address());
  await page.getByText("Choose a tool").waitFor();
  await page.keyboard.press("Control+k");
  await keys.has(/^Search everything$/);
  await keys.type("plans");
  await keys.press("Enter");
  await page.getByText("waits for approval").first().waitFor();
  await keys.has(/^Plans$/);
  await keys.to(/1 × drop_table/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: /^1 write/ }).waitFor();
  await keys.has(/^1 write/);
  // What is approved can be read before: it is a stop of the Tab key, so it scrolls.
  await keys.to(/^The exact request/);
  await keys.to(/^Approve 1 write$/, "Shift+Tab");
  await keys.press("Enter");
  await keys.has(/^Go back$/);
  await keys.press("Enter");
  await keys.has(/^Approve 1 write$/);
  expect(received).toEqual([]);
  await keys.press("Enter");
  await keys.to(/^Execute exactly this plan$/);
  await keys.press("Enter");
  await page.getByText("The write is done.").waitFor();
  await keys.seesFocus();
  expect(received).toHaveLength(1);
  await page.goBack();
  await expect.poll(() => page.getByText("waits for approval").count()).toBe(1);
  await keys.to(/waits for approval/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: /^1 write/ }).waitFor();
  await keys.to(/^Refuse$/);
  await keys.press("Enter");
  await keys.to(/^Refuse it for good$/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: "Plans" }).waitFor();
  await keys.seesFocus();
  expect(received).toHaveLength(1);
});

test("with the keyboard alone: a run is asked, cancelled, opened at a call, shared as one file and exported [UI-keyboard]", async () => {
  const { url } = await startService({}, {
    rules: [{ contains: "hang", reply: { kind: "hang" } }],
  } as never);
  const { page } = await openPage({
    allowedErrors: EXPECTED,
    viewport: { width: 1280, height: 720 },
    fresh: true,
  });
  const keys = new Keyboard(page);
  await page.goto(url);
  await keys.has(/^Question or task/);
  await keys.type("Does it hang? Answer yes or no.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Cancel run" }).waitFor();
  await keys.has(/^Does it hang/);
  keys.takeKeys();
  await keys.to(/^Cancel run$/);
  await keys.press("Enter");
  await keys.has(/^Go back$/);
  await keys.press("Enter");
  await keys.has(/^Cancel run$/);
  await keys.press("Enter");
  await keys.to(/^Cancel it for good$/);
  await keys.press("Enter");
  await page.getByText("The run was cancelled", { exact: true }).first().waitFor();
  expect(keys.takeKeys()).toBeLessThan(8);
  // The button is gone; the focus is not.
  await keys.seesFocus();

  await keys.to(/^Ask again$/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: "Ask the council" }).waitFor();
  await keys.has(/^Question or task/);
  await page.keyboard.press("Control+a");
  await keys.type("Is tea better than coffee? Answer yes or no.");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/won: \d+/).waitFor();
  await keys.has(/^Is tea better/);
  keys.takeKeys();
  await keys.to(/^Share$/, "Tab", 5);
  await keys.press("Enter");
  for (const [name, file] of [
    [/^Share as one HTML file$/, /\.html$/],
    [/^Export as JSON$/, /\.json$/],
  ] as const) {
    await keys.to(name, "Tab", 5);
    const download = page.waitForEvent("download");
    await keys.press("Enter");
    expect((await download).suggestedFilename()).toMatch(file);
    await keys.has(name);
  }
  await keys.press("Escape");
  await keys.has(/^Share$/);
  expect(keys.takeKeys()).toBeLessThan(15);
  // A call, and back to it.
  await keys.to(/^Open call 1$/);
  await keys.press("Enter");
  await page.getByRole("dialog").getByText("Prompt as sent").waitFor();
  await keys.seesFocus();
  await keys.press("Escape");
  await keys.has(/^Open call 1$/);
});

test("with the keyboard alone: a task is started from the form, its undecided step read and answered, and it is forked [UI-keyboard]", async () => {
  const dir = mkdtempSync(join(tmpdir(), "console-keyboard-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await copyCluster(dir);
  let calls = 0;
  const complete: Model["complete"] = async ({ messages }) => {
    const n = Number(/The number is (\d+)/.exec(messages.at(-1)!.content)?.[1]);
    return {
      text: "",
      object: { rationale: "It follows.", answer: { n: n === 6 ? 1000 + ++calls : n + 1 } },
      finishReason: "stop" as const,
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.0001 },
      latencyMs: 5,
    };
  };
  const { url } = await startWithModel(complete, { MCI_DATA_DIR: dir });
  const { page } = await openPage({
    allowedErrors: EXPECTED,
    viewport: { width: 1280, height: 720 },
    fresh: true,
  });
  const keys = new Keyboard(page);
  await page.goto(`${url}/#/tasks`);
  await page.getByText("No tasks yet.").waitFor();
  await keys.to(/^Fill in an example$/);
  await keys.press("Enter");
  // Each field is a stop, and none is hidden while one is in it.
  await keys.to(/^Done when/);
  await page.keyboard.press("Control+a");
  await keys.type("state.n >= `9`");
  await keys.to(/^Start$/);
  await keys.press("Enter");
  await page.getByText("paused: undecided").waitFor({ timeout: 120_000 });
  await keys.has(/count/);
  // What the models were asked, where the task stood and what they replied come before the answer.
  keys.takeKeys();
  const order: string[] = [];
  for (let step = 0; step < 14 && !/^n required/.test(order.at(-1) ?? ""); step++) {
    await keys.press("Tab");
    order.push((await keys.focus()).name);
  }
  const places = [/The number is 6/, /1 field|^n/, /^Every reply$/, /^n required/].map((name) =>
    order.findIndex((each) => name.test(each)),
  );
  expect({ order, sorted: places.toSorted((a, b) => a - b) }).toEqual({ order, sorted: places });
  expect(places).not.toContain(-1);
  await keys.to(/^Every reply$/, "Shift+Tab");
  await keys.press("Enter");
  await page.getByText(/\[#1 vote .*: accepted\]/).waitFor();
  await keys.to(/^n required/);
  await keys.type("7");
  await keys.press("Enter");
  const fact = page.locator(".fact", { has: page.getByText("Status", { exact: true }) });
  await fact.getByText("complete").waitFor({ timeout: 60_000 });
  // The form is gone; the focus is not.
  await keys.seesFocus();
  expect(keys.takeKeys()).toBeLessThan(20);
  await page.getByRole("button", { name: "Fork before step 9" }).waitFor();
  await keys.to(/^Fork before step 9$/);
  await keys.press("Enter");
  await keys.has(/^Go back$/);
  await keys.press("Escape");
  await keys.has(/^Fork before step 9$/);
  await keys.press("Enter");
  await keys.to(/^Start the fork$/);
  await keys.press("Enter");
  await page.getByText(/^Forked from/).waitFor();
  await keys.seesFocus();
  await fact.getByText("complete").waitFor({ timeout: 60_000 });
});
