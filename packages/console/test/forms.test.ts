import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openPage, violations } from "./support/browser.ts";
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
/** Shapes that only their fields tell apart: `{}` is as close to one as to the other. */
const way = {
  oneOf: [
    {
      title: "Train",
      type: "object",
      properties: { class: { type: "integer" }, coach: { type: "string" } },
      required: ["class", "coach"],
    },
    { title: "Plane", type: "object", properties: { seat: { type: "string" } }, required: ["seat"] },
  ],
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
    {
      name: "kinds",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", pattern: "^[A-Z]" },
          day: { type: "string", format: "date" },
          at: { type: "string", format: "date-time" },
          secret: { type: "string", format: "password" },
          colours: { type: "array", items: { enum: ["red", "green", "blue"] } },
          labels: { type: "object", additionalProperties: { type: "integer", maximum: 9 } },
          people: {
            type: "array",
            items: { type: "object", properties: { first: { type: "string" } }, required: ["first"] },
          },
          note: { type: ["string", "null"] },
          photo: { type: "string", contentEncoding: "base64" },
          target: {
            oneOf: [
              {
                title: "By mail",
                type: "object",
                properties: { kind: { const: "mail" }, address: { type: "string" } },
                required: ["kind", "address"],
              },
              {
                title: "By phone",
                type: "object",
                properties: { kind: { const: "phone" }, number: { type: "integer" } },
                required: ["kind", "number"],
              },
            ],
          },
          amount: { anyOf: [{ type: "number" }, { type: "string" }] },
          big: { type: "integer" },
        },
        required: ["name"],
      },
      execution: { type: "text", text: "{{props|json}}" },
    },
    {
      name: "travels",
      inputSchema: {
        type: "object",
        properties: { way, more: { type: "array", items: way } },
        required: ["way"],
      },
      execution: { type: "text", text: "{{props|json}}" },
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
  await page.locator("summary", { hasText: "4 optional fields" }).click();
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
  // Once it is wanted, what it requires is required; left out again, nothing is.
  await page.getByRole("button", { name: "Fill in from" }).click();
  await call.click();
  await page.getByRole("group", { name: "from" }).getByText("This is required.").waitFor();
  await page.getByRole("button", { name: "Leave out from" }).click();
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

test("of several shapes the chosen one is checked, each try leads to what is missing, and a list keeps the shapes of its items [UI-form-errors]", async () => {
  const ui = await startUi(folder({ "mci.json": document }));
  const { page } = await openPage();
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/call")) bodies.push(request.postData() ?? "");
  });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/travels`);
  const call = page.getByRole("button", { name: "Call", exact: true });
  const shape = page.getByRole("group", { name: "way required" });
  const lost = () => page.evaluate<string>("document.activeElement?.labels?.[0]?.innerText ?? ''");
  await shape.getByLabel("Kind of way").selectOption({ label: "Train" });
  await call.click();
  await page.getByText("Not sent: 2 fields are missing or wrong.").waitFor();
  expect(await shape.getByText("This is required.").count()).toBe(2);
  await expect.poll(lost).toBe("class required");
  await shape.getByLabel("class required").fill("1");
  await call.click();
  await expect.poll(lost).toBe("coach required");

  await page.getByRole("button", { name: "Add more" }).click();
  await page.getByLabel("Kind of more 1").selectOption({ label: "Train" });
  await page.getByRole("button", { name: "Add more" }).click();
  await page.getByLabel("Kind of more 2").selectOption({ label: "Plane" });
  await page.getByRole("group", { name: "Plane" }).getByLabel("seat required").fill("4A");
  await page.getByRole("button", { name: "Remove more 1" }).click();
  await expect.poll(() => page.getByLabel("Kind of more 1").inputValue()).toBe("1");
  expect(await page.getByRole("group", { name: "Plane" }).getByLabel("seat required").inputValue()).toBe(
    "4A",
  );
  await page.getByRole("button", { name: "Add more" }).click();
  await page.getByRole("button", { name: "Move more 2 up" }).click();
  await call.click();
  await expect.poll(lost).toBe("coach required");
  await page.getByText("Not sent: 2 fields are missing or wrong.").waitFor();
  await page.getByRole("button", { name: "Remove more 1" }).click();
  await shape.getByLabel("coach required").fill("7");
  await call.click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  expect(bodies.map((body) => JSON.parse(body).input)).toEqual([
    { way: { class: 1, coach: "7" }, more: [{ seat: "4A" }] },
  ]);
});

test("every kind of value has its field: dates, passwords, choices, maps, lists of objects, nulls, files, one of several shapes; optional ones are folded, Call stays in reach, and a reload keeps all but the password [UI-drafts]", async () => {
  const ui = await startUi(folder({ "mci.json": document }));
  const { page } = await openPage({ viewport: { width: 1100, height: 500 } });
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/call")) bodies.push(request.postData() ?? "");
  });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/kinds`);
  const fold = page.locator("summary", { hasText: "11 optional fields" });
  await fold.waitFor();
  expect(await page.getByLabel("day").count()).toBe(0);
  await fold.click();
  const call = page.getByRole("button", { name: "Call", exact: true });
  // The form is far longer than the window.
  await page.evaluate("scrollTo(0, 0)");
  const { y } = (await call.boundingBox())!;
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(500);

  await call.click();
  await page.getByText("Not sent: one field is missing or wrong.").waitFor();
  expect(await page.getByLabel("name required").evaluate((e) => e.matches(":focus"))).toBe(true);
  await page.getByLabel("name required").fill("ada");
  await page.getByText("This must match ^[A-Z]").waitFor();
  await page.getByLabel("name required").fill("Ada");
  await page.getByLabel("day").fill("2026-02-03");
  await page.getByLabel("at", { exact: true }).fill("2026-02-03T04:05:06");
  const secret = page.getByLabel("secret");
  await secret.fill("hush");
  expect(await secret.getAttribute("type")).toBe("password");
  await page.getByRole("checkbox", { name: "blue" }).check();
  await page.getByRole("checkbox", { name: "red" }).check();
  const labels = page.getByRole("group", { name: "labels" });
  await labels.getByLabel("Key of a new entry").fill("age");
  await page.keyboard.press("Enter");
  await labels.getByLabel("age", { exact: true }).fill("12");
  await labels.getByText("This must be at most 9.").waitFor();
  await labels.getByLabel("age", { exact: true }).fill("7");
  await page.getByRole("button", { name: "Add people" }).click();
  await page.getByLabel("first required").fill("Bob");
  await page.getByRole("checkbox", { name: /null for note/ }).check();
  await page
    .getByLabel("photo")
    .setInputFiles({ name: "p.bin", mimeType: "image/png", buffer: Buffer.from([1, 2, 255]) });
  await page.getByText("p.bin, 3 bytes").waitFor();
  await page.getByLabel("Kind of target").selectOption("By mail");
  await page.getByLabel("address required").fill("a@b.example");
  await page.getByLabel("Kind of target").selectOption("By phone");
  await page.getByLabel("number required").fill("5");
  await page.getByLabel("Kind of amount").selectOption("string");
  await page.getByLabel("string", { exact: true }).fill("1e3");
  await page.getByLabel("big").fill("12345678901234567890");
  await page.getByText("too large to be sent exactly").waitFor();
  await page.getByLabel("big").fill("");
  expect(await violations(page)).toEqual([]);

  // All but the password is there again, also in the form of the shape that was chosen.
  await page.reload();
  await page.getByLabel("number required").waitFor();
  expect(await secret.inputValue()).toBe("");
  expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain("hush");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const json = page.getByRole("textbox", { name: "Input as JSON" });
  const input = {
    name: "Ada",
    day: "2026-02-03",
    at: new Date("2026-02-03T04:05:06").toISOString(),
    colours: ["red", "blue"],
    labels: { age: 7 },
    people: [{ first: "Bob" }],
    note: null,
    photo: "AQL/",
    target: { kind: "phone", number: 5 },
    amount: "1e3",
  };
  expect(JSON.parse(await json.inputValue())).toEqual(input);
  await json.fill('{"name": "Eve", "big": 12345678901234567890}');
  await page.getByText(/too large to be sent exactly/).waitFor();
  expect(await call.isDisabled()).toBe(true);
  await page.reload();
  await page.getByText(/too large to be sent exactly/).waitFor();
  await json.fill(JSON.stringify(input));
  await json.press("Control+Enter");
  await page.getByRole("region", { name: "Result" }).waitFor();
  // Announced in a word: the result itself may be long.
  await page
    .getByRole("status")
    .getByText(/^Done, \d+/)
    .waitFor();
  expect(bodies.map((body) => JSON.parse(body).input)).toEqual([input]);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  expect(await json.inputValue()).toBe("{}");
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
  const box = (await question.boundingBox())!;
  expect(Math.abs(box.y + box.height / 2 - page.viewportSize()!.height / 2)).toBeLessThan(2);
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
  await page.getByRole("link", { name: /echo/ }).waitFor();
  await page.goto(`${ui.origin}/#/file`);
  await page.getByRole("button", { name: "Discard them" }).click();
  await page.getByText("These are your edits").waitFor({ state: "detached" });
  expect(await editor.innerText()).not.toContain("x{");
  // A file that no longer loads says so when it is saved, and the tools stay.
  await editor.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("x");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved, but the file cannot be loaded any more").waitFor();
  await page.keyboard.press("Backspace");
  await page.getByText("The file as it is on disk cannot be loaded").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.getByText("cannot be loaded").waitFor({ state: "detached" });
});
