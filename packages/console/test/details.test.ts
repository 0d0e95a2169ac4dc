import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { callTool, openPage } from "./support/browser.ts";
import { ask } from "./support/demo.ts";
import { startService, startSite, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const secret = { type: "string", format: "password" };

test("a password is in no storage of the tab, also not in lists, maps, shapes, behind references and in a JSON text; the rest survives a reload [UI-drafts]", async () => {
  const ui = await startUi(
    folder({
      "mci.json": {
        schemaVersion: "1.0",
        tools: [
          {
            name: "login",
            inputSchema: {
              type: "object",
              properties: {
                user: { type: "string" },
                home: { type: "object", properties: { city: { type: "string" }, pin: secret } },
                users: { type: "array", items: { type: "object", properties: { pin: secret } } },
                pins: { type: "object", additionalProperties: secret },
                way: {
                  oneOf: [{ title: "By pin", type: "object", properties: { pin: { $ref: "#/$defs/pin" } } }],
                },
                other: { $ref: "#/$defs/account" },
              },
              $defs: {
                pin: secret,
                account: {
                  type: "object",
                  properties: { name: { type: "string" }, pin: { $ref: "#/$defs/pin" } },
                },
              },
            },
            execution: { type: "text", text: "{{props.user}}" },
          },
        ],
      },
    }),
  );
  const { page } = await openPage({ fresh: true });
  const stored = () =>
    page.evaluate<string>("JSON.stringify({ ...sessionStorage, local: { ...localStorage } })");
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/login`);
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const text = page.getByLabel("Input as JSON");
  const input = {
    user: "ada",
    home: { city: "Rome", pin: "hunter1" },
    users: [{ pin: "hunter2" }],
    pins: { a: "hunter3" },
    way: { pin: "hunter4" },
    other: { name: "bob", pin: "hunter5" },
  };
  await text.fill(JSON.stringify(input));
  await expect.poll(stored).toContain("Rome");
  expect(await stored()).not.toContain("hunter");
  // Not JSON yet, and still nowhere.
  await text.fill('{"user": "ada", "home": {"city": "Rome", "pin": "hunter6"');
  await page.getByText("Not an input").waitFor();
  expect(await stored()).not.toContain("hunter");
  await page.reload();
  await expect.poll(() => page.getByLabel("user").inputValue()).toBe("ada");
  expect(await page.getByLabel("city").inputValue()).toBe("Rome");
  expect(await page.getByLabel("name", { exact: true }).inputValue()).toBe("bob");
});

test("a number that no browser counts exactly is shown as it came [UI-content]", async () => {
  const site = await startSite((request, response) =>
    response
      .setHeader("content-type", "application/json")
      .end(request.url === "/list" ? '[{"id":12345678901234567891}]' : '{"id":12345678901234567891,"a":1}'),
  );
  const http = (path: string) => ({
    annotations: { readOnlyHint: true },
    execution: { type: "http", url: `${site}${path}` },
  });
  const ui = await startUi(
    folder({
      "mci.json": {
        schemaVersion: "1.0",
        tools: [
          { name: "one", ...http("/one") },
          { name: "list", ...http("/list") },
        ],
      },
    }),
  );
  const { page } = await openPage();
  await page.goto(ui.address());
  for (const name of ["one", "list"]) {
    await page.goto(`${ui.origin}/#/tools/${name}`);
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await callTool(page);
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("12345678901234567891").first().waitFor({ timeout: 5000 });
    expect(await result.innerText()).not.toContain("12345678901234567000");
  }
});

test("the history is narrowed by days and ordered by cost and time; its address keeps that [UI-history]", async () => {
  const dir = mkdtempSync(join(tmpdir(), "console-prices-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "prices.json"), JSON.stringify({ sim: { input: 1, output: 4 } }));
  const { url } = await startService({ MCI_PRICES: join(dir, "prices.json") });
  await ask(url, { prompt: "Cheap?", intent: "validation", config: { k: 1, max_samples: 1 } });
  await ask(url, { prompt: "Dear?", intent: "validation", config: { k: 5 } });
  await ask(url, { prompt: "Between?", intent: "validation", config: { k: 2 } });
  const { page } = await openPage();
  await page.goto(`${url}/#/runs`);
  const rows = page.locator(".run-row .run-prompt");
  await expect.poll(() => rows.allInnerTexts()).toEqual(["Between?", "Dear?", "Cheap?"]);
  await page.getByLabel("Order").selectOption({ label: "Most expensive first" });
  await expect.poll(() => rows.allInnerTexts()).toEqual(["Dear?", "Between?", "Cheap?"]);
  const day = (offset: number) => {
    const date = new Date(Date.now() + offset * 86_400_000);
    return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
  };
  await page.getByLabel("From", { exact: true }).fill(day(1));
  await page.getByText("No run matches.").waitFor();
  await page.getByLabel("From", { exact: true }).fill(day(0));
  await page.getByLabel("To", { exact: true }).fill(day(0));
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole("heading", { name: "History 3 runs" }).waitFor();
  await page.reload();
  await expect.poll(() => rows.allInnerTexts()).toEqual(["Dear?", "Between?", "Cheap?"]);
  expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe(day(0));
  await page.getByLabel("To", { exact: true }).fill(day(-1));
  await page.getByText("No run matches.").waitFor();
});

test("a file that is left out is not shown as chosen, and can be chosen again [UI-form-errors]", async () => {
  const ui = await startUi(
    folder({
      "mci.json": {
        schemaVersion: "1.0",
        tools: [
          {
            name: "send",
            inputSchema: {
              type: "object",
              properties: { file: { type: "string", contentEncoding: "base64" } },
            },
            execution: { type: "text", text: "{{props.file}}" },
          },
        ],
      },
    }),
  );
  const { page } = await openPage();
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/send`);
  const field = page.getByLabel("file", { exact: true });
  const file = { name: "p.bin", mimeType: "image/png", buffer: Buffer.from([1, 2, 255]) };
  for (let times = 0; times < 2; times++) {
    await field.setInputFiles(file);
    await page.getByText("p.bin, 3 bytes").waitFor();
    await page.getByRole("button", { name: "Leave out" }).click();
    await page.getByText("p.bin, 3 bytes").waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("");
  }
});

test("an example or an earlier question takes the place of what was typed, which can be put back [UI-drafts]", async () => {
  const { url } = await startService();
  const earlier = await ask(url, { prompt: "Is tea good?", intent: "validation" });
  const { page } = await openPage();
  await page.goto(url);
  const question = page.getByLabel("Question or task");
  await question.fill("Something that I have thought about for long");
  await page.getByRole("button", { name: /^A choice/ }).click();
  await expect.poll(() => question.inputValue()).toContain("moment.js");
  await page.getByRole("button", { name: "Put it back" }).click();
  expect(await question.inputValue()).toBe("Something that I have thought about for long");
  await page.goto(`${url}/#/ask?again=${earlier}`);
  await expect.poll(() => question.inputValue()).toBe("Is tea good?");
  await page.getByRole("button", { name: "Put it back" }).click();
  expect(await question.inputValue()).toBe("Something that I have thought about for long");
  // What nobody typed is not kept.
  await question.fill("");
  await page.getByRole("button", { name: /^A decision/ }).click();
  await page.getByRole("button", { name: /^A plan/ }).click();
  expect(await page.getByText("was replaced").count()).toBe(0);

  await page.goto(`${url}/#/tasks`);
  await page.getByLabel("What is to be done").fill("A plan of mine");
  await page.getByRole("button", { name: "Fill in an example" }).click();
  await page.getByLabel("Question of each step").waitFor();
  await page.getByRole("button", { name: "Put it back" }).click();
  expect(await page.getByLabel("What is to be done").inputValue()).toBe("A plan of mine");
});
