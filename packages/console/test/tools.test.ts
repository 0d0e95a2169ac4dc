import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openPage } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const greet = {
  name: "greet",
  description: "Greets by name",
  tags: ["talk"],
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string" },
      mood: { type: "string", enum: ["glad", "sad"], default: "glad" },
      friends: { type: "array", items: { type: "string" } },
      home: { type: "object", properties: { city: { type: "string" } } },
    },
    required: ["name"],
  },
  execution: { type: "text", text: "Hello {{props.name}}, {{props.mood}}" },
};
const missing = { name: "needs_key", execution: { type: "text", text: "{{env.SECRET_KEY}}" } };
const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });

async function openTools(document: object | string = file(greet, missing), env = {}) {
  const cwd = folder({ "mci.json": document });
  const ui = await startUi(cwd, [], env);
  const { page, errors } = await openPage({ allowedErrors: /Failed to load resource|ERR_/ });
  await page.goto(ui.address());
  return { cwd, ui, page, errors };
}

test("a tool is found, filled in with a form, previewed and called", async () => {
  const { page } = await openTools();
  await page.getByPlaceholder("Search tools").fill("gre");
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  await page.getByLabel("mood").selectOption("sad");
  await page.getByRole("button", { name: "Add friends" }).click();
  await page.getByRole("textbox", { name: "friends 1" }).fill("Bob");
  await page.getByLabel("city").fill("Rome");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("Hello Ada, sad").waitFor();
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  expect(JSON.parse(await page.getByLabel("Input as JSON").inputValue())).toEqual({
    name: "Ada",
    mood: "sad",
    friends: ["Bob"],
    home: { city: "Rome" },
  });
});

test("calls are listed, and one is made again with the same input", async () => {
  const { page } = await openTools();
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("Hello Ada").waitFor();
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("succeeded").waitFor();
  await page.getByRole("link", { name: "Again: greet" }).click();
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Ada");
});

test("an edit of the file shows at once, and what was typed stays", async () => {
  const { page, cwd } = await openTools();
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify(file({ ...greet, description: "Says hello" }, missing)),
  );
  await page.getByText("Says hello").first().waitFor();
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Ada");
});

test("a broken edit and a removed file say so, and the tools stay", async () => {
  const { page, cwd } = await openTools();
  await page.getByRole("link", { name: /greet/ }).waitFor();
  writeFileSync(join(cwd, "mci.json"), "{ broken");
  await page.getByText("The file cannot be loaded").waitFor();
  await page.getByRole("link", { name: /greet/ }).waitFor();
  rmSync(join(cwd, "mci.json"));
  await page.getByText("The file was removed.").waitFor();
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file(greet)));
  await page.getByText("The file cannot be loaded").waitFor({ state: "detached" });
});

test("the editor shows problems at their lines as one types, completes keys, and saves on request only", async () => {
  const { page, cwd } = await openTools(`${JSON.stringify(file(greet), null, 2)}\n`);
  const path = join(cwd, "mci.json");
  await page.getByRole("link", { name: "File", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "The file" });
  await editor.click();
  await page.getByText("No problems.").waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("x");
  await page.getByRole("button", { name: /error Line/ }).waitFor();
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(file(greet), null, 2)}\n`);
  await page.keyboard.press("Backspace");
  await page.getByText("No problems.").waitFor();

  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.type('"toolse');
  await page.getByRole("option", { name: /toolsets/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("[],");
  await page.getByText("No problems.").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ toolsets: [], ...file(greet) });
});

test("an edit from elsewhere is never overwritten", async () => {
  const { page, cwd } = await openTools();
  const path = join(cwd, "mci.json");
  await page.getByRole("link", { name: "File", exact: true }).click();
  await page.getByRole("textbox", { name: "The file" }).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n\n");
  await page.getByText("Not saved").waitFor();
  const elsewhere = JSON.stringify(file({ ...greet, name: "other" }));
  writeFileSync(path, elsewhere);
  await page.getByText("The file was changed by something else").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The service refused: changed").waitFor();
  expect(readFileSync(path, "utf8")).toBe(elsewhere);
  await page.getByRole("button", { name: /Open again/ }).click();
  await page.getByRole("textbox", { name: "The file" }).getByText("other").waitFor();
});

test("variables are set or missing, and their values are nowhere", async () => {
  const { page } = await openTools(file(greet, missing), { SECRET_KEY: "hidden-value" });
  await page.getByRole("link", { name: "Variables and servers" }).click();
  await page.getByRole("row", { name: /SECRET_KEY set/ }).waitFor();
  expect(await page.content()).not.toContain("hidden-value");
});
