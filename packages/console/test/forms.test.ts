import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openPage } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const home = {
  type: "object",
  title: "Address",
  properties: { city: { type: "string" } },
  required: ["city"],
};
const append = {
  type: "cli",
  command: process.execPath,
  args: ["-e", "require('fs').appendFileSync('calls.txt', process.argv[1] + '\\n')", "--", "{{props.name}}"],
};
const document = {
  schemaVersion: "1.0",
  tools: [
    {
      name: "echo",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", maxLength: 5 },
          count: { type: "integer", maximum: 3 },
          any: {},
          from: { $ref: "#/$defs/home" },
          to: { $ref: "#/$defs/home" },
        },
        required: ["name"],
        $defs: { home },
      },
      execution: { type: "text", text: "Hello {{props.name}}" },
    },
    {
      name: "unknown",
      inputSchema: { type: "object", properties: { name: { type: "string" } } },
      execution: append,
    },
    { name: "destroys", annotations: { destructiveHint: true }, execution: { type: "text", text: "gone" } },
    {
      name: "reads",
      annotations: { readOnlyHint: true },
      execution: { ...append, args: ["-e", "console.log('read')"] },
    },
  ],
};

test("what is not JSON or breaks the tool's schema is not sent, and says so at its field; an object that is left out blocks nothing [UI-form-errors]", async () => {
  const ui = await startUi(folder({ "mci.json": document }));
  const { page } = await openPage();
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/call")) bodies.push(request.postData() ?? "");
  });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/echo`);
  const call = page.getByRole("button", { name: "Call", exact: true });
  await call.click();
  await page.getByText("This is required.").waitFor();
  expect(await page.getByText("This is required.").count()).toBe(1);
  await page.getByRole("group", { name: "from" }).waitFor();
  await page.getByRole("group", { name: "to" }).waitFor();
  await page.getByLabel("name required").fill("too long");
  await page.getByText("This must have at most 5 characters.").waitFor();
  await call.click();
  await page.getByLabel("name required").fill("Ada");
  await page.getByLabel("count").fill("7");
  await page.getByText("This must be at most 3.").waitFor();
  await call.click();
  await page.getByLabel("count").fill("2");
  await page.getByLabel("any").fill('{"a": ');
  await expect.poll(() => call.isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Preview" }).isDisabled()).toBe(true);
  await page.getByLabel("any").fill("[1]");
  await call.click();
  await page.getByText("Hello Ada").waitFor();

  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const json = page.getByRole("textbox", { name: "Input as JSON" });
  for (const [text, error] of [
    ['{"name": "Bob"', "Not an input"],
    ["[]", "it must be an object"],
  ] as const) {
    await json.fill(text);
    await page.getByText(error).waitFor();
    expect(await call.isDisabled()).toBe(true);
  }
  await json.fill('{"name": 5}');
  await call.click();
  await page.getByText("/name This must be text.").waitFor();
  await json.fill('{"name": "Eve"}');
  await call.click();
  await page.getByText("Hello Eve").waitFor();
  expect(bodies.map((body) => JSON.parse(body).input)).toEqual([
    { name: "Ada", count: 2, any: [1] },
    { name: "Eve" },
  ]);
});

test("a tool that destroys something, or does not say what it does, is called after a question that shows the request; Enter does not send it [UI-confirm]", async () => {
  const cwd = folder({ "mci.json": document, "calls.txt": "" });
  const ui = await startUi(cwd);
  const { page } = await openPage();
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/unknown`);
  await page.getByLabel("name").fill("Ada");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Call unknown?" });
  await question.getByText("appendFileSync").waitFor();
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  expect(readFileSync(join(cwd, "calls.txt"), "utf8")).toBe("");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await question.getByRole("button", { name: "Send it" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  expect(readFileSync(join(cwd, "calls.txt"), "utf8")).toBe("Ada\n");

  await page.goto(`${ui.origin}/#/tools/destroys`);
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("destroys or overwrites something").waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${ui.origin}/#/tools/reads`);
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("region", { name: "Result" }).getByText("read").waitFor();
});

test("edits that were not saved are there again after another screen and after a reload, and can be discarded [UI-drafts]", async () => {
  const cwd = folder({ "mci.json": document });
  const ui = await startUi(cwd);
  const { page } = await openPage({ fresh: true });
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/file`);
  const editor = page.locator(".cm-content");
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("   ");
  await page.getByText("Not saved").waitFor();
  await page.goto(`${ui.origin}/#/tools`);
  await page.getByRole("link", { name: /echo/ }).waitFor();
  await page.goto(`${ui.origin}/#/file`);
  await page.getByText("These are your edits that were not saved.").waitFor();
  await page.reload();
  await page.getByText("These are your edits that were not saved.").waitFor();
  expect(asked).toEqual(["beforeunload"]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(readFileSync(join(cwd, "mci.json"), "utf8")).toMatch(/ {3}$/);
  await editor.click();
  await page.keyboard.type("x");
  await page.goto(`${ui.origin}/#/tools`);
  await page.goto(`${ui.origin}/#/file`);
  await page.getByRole("button", { name: "Discard them" }).click();
  await page.getByText("These are your edits").waitFor({ state: "detached" });
  expect(await editor.innerText()).not.toContain("x{");
});
