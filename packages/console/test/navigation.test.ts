import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { callTool, openPage, picture, violations } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const text = (name: string, text: string, description = "") => ({
  name,
  description,
  execution: { type: "text", text },
});
const NESTED = {
  items: [{ deep: { needle: "found me" }, "odd key": [1, 2] }],
  other: { a: 1 },
  list: [],
  more: 1,
};
const LONG_WORD = "Donaudampfschifffahrtsgesellschaft";
const document = {
  schemaVersion: "1.0",
  tools: [
    text("mail_send", "sent", "Sends a message to people"),
    text("people_list", "none", "Lists the people of a message list"),
    text("tree", JSON.stringify(NESTED)),
    text("csv", `name,where\nAda,"Rome, Italy"\nBob,${LONG_WORD}\n`),
    text("markdown", "# A heading\n\n- one\n- two\n"),
    text("nothing", "[]"),
    ...Array.from({ length: 150 }, (_, index) => text(`filler_${index}`, "x", "One of many")),
  ],
};
const focused = "document.activeElement?.getAttribute('href') ?? document.activeElement?.tagName";

test("tools are found by words in any order, marked and ranked; the list is one tab stop with arrow keys; focus and scroll are there again; Ctrl+K reaches everything; the theme is chosen; results are what they are [UI-theme] [UI-content]", async () => {
  const ui = await startUi(folder({ "mci.json": document }));
  const { page } = await openPage({
    viewport: { width: 1100, height: 700 },
    fresh: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(ui.address());
  const rows = page.getByRole("region", { name: "List of tools" });
  await rows.getByRole("link", { name: /mail_send/ }).waitFor();

  await page.getByPlaceholder("Search tools").fill("message people");
  await expect.poll(() => rows.getByRole("link").count()).toBe(2);
  await expect.poll(() => rows.locator("mark").allInnerTexts()).toContain("message");
  await page.getByPlaceholder("Search tools").fill("people sends");
  await expect.poll(() => rows.getByRole("link").first().innerText()).toContain("mail_send");
  await page.getByPlaceholder("Search tools").fill("");
  await rows
    .getByRole("link", { name: /filler_2/ })
    .first()
    .waitFor();

  // One stop of the Tab key, and arrow keys inside.
  await page.getByPlaceholder("Search tools").focus();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(focused)).toBe("#/tools/mail_send");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(focused)).toBe("#/tools/people_list");
  await page.keyboard.press("End");
  await expect.poll(() => page.evaluate(focused)).toBe("#/tools/filler_149");
  const scrolled = () => rows.evaluate((element) => element.scrollTop);
  const top = await scrolled();
  expect(top).toBeGreaterThan(3000);
  await page.keyboard.press("Tab");
  expect(await page.evaluate<boolean>("!!document.activeElement.closest('.tool-rows')")).toBe(false);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "filler_149" }).waitFor();

  // Another screen begins at its heading; going back is where one was.
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await expect
    .poll(() => page.evaluate("document.activeElement?.tagName + document.activeElement?.textContent"))
    .toBe("H1Calls");
  await page.goBack();
  await expect.poll(() => page.evaluate(focused)).toBe("#/tools/filler_149");
  await expect.poll(scrolled).toBe(top);

  // Everything, by any words.
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to anything" });
  await palette.getByRole("option", { name: /File/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, "palette-light");
  await page.keyboard.type("list people");
  // At once, before the words have found anything: it waits for what they find.
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "people_list" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("dark theme");
  await palette.getByRole("option", { name: /dark theme/ }).waitFor();
  await page.keyboard.press("Enter");
  const background = "getComputedStyle(document.body).backgroundColor";
  await expect.poll(() => page.evaluate(background)).toBe("rgb(16, 19, 24)");
  await page.reload();
  await page.getByRole("heading", { name: "people_list" }).waitFor();
  expect(await page.evaluate(background)).toBe("rgb(16, 19, 24)");
  expect(await violations(page, ["color-contrast"])).toEqual([]);
  await page.getByLabel("Theme").selectOption("light");
  await expect.poll(() => page.evaluate(background)).toBe("rgb(246, 247, 249)");

  // A tree is searched, walked and copied from.
  const show = async (name: string) => {
    await page.goto(`${ui.origin}/#/tools/${name}`);
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await callTool(page);
    await page.getByRole("region", { name: "Result" }).waitFor();
  };
  await show("tree");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByLabel("Search in this JSON").first().fill("needle");
  await result.getByText("1 found").waitFor();
  await result.getByText('"found me"').click();
  await result.getByText(".items[0].deep.needle", { exact: true }).waitFor();
  await result.getByRole("button", { name: "Copy value" }).click();
  await result.getByText("Copied the value.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("found me");
  await result.getByText('"found me"').click();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await result.getByText('"found me"', { exact: true }).waitFor({ state: "detached" });
  // What is folded says what begins in it.
  await result.getByText('needle: "found me"', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await show("csv");
  await result.getByRole("cell", { name: "Rome, Italy" }).waitFor();
  // No word is broken: the cell is one line high.
  const { height } = (await result.getByRole("cell", { name: LONG_WORD }).boundingBox())!;
  expect(height).toBeLessThan(40);
  await show("markdown");
  await result.getByRole("heading", { name: "A heading" }).waitFor();
  await show("nothing");
  await result.getByText("a list without items").waitFor();
});

test("a second tab and a link opened with Ctrl-click have access; after mci ui was started again a tab goes on once another has the new address [UI-restart]", async () => {
  const cwd = folder({ "mci.json": document });
  const ui = await startUi(cwd);
  const { page } = await openPage({ fresh: true, allowedErrors: /401|Failed to load|ERR_/ });
  await page.goto(ui.address());
  const link = page.getByRole("link", { name: /people_list/ });
  await link.waitFor();
  // A tab of its own, which shares no storage of this one.
  const [second] = await Promise.all([
    page.context().waitForEvent("page"),
    link.click({ modifiers: ["Control"] }),
  ]);
  expect(await page.getByText("Choose a tool").count()).toBe(1);
  await second.getByRole("heading", { name: "people_list" }).waitFor();

  await ui.stop();
  const again = await startUi(cwd, { port: Number(new URL(ui.origin).port) });
  await page.getByRole("heading", { name: "This tab has no access" }).waitFor();
  const third = await page.context().newPage();
  await third.goto(again.address());
  await third.getByRole("link", { name: /people_list/ }).waitFor();
  await page.getByRole("link", { name: /people_list/ }).waitFor();
  await second.getByRole("heading", { name: "people_list" }).waitFor();
});
