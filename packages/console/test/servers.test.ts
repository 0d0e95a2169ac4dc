import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { npmServer } from "../../mci/test/mcp/support.ts";
import { callTool, openPage, violations } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

/* The screen of an MCP server, with real servers from npm. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const settings = ({ type: _, ...server }: object & { type: string }) => server;
const everything = () => settings(npmServer("everything"));
const FEATURES = "demo://resource/static/document/features.md";
const WIDE = { width: 1100, height: 820 };
const file = (more: object) => ({ "mci.json": { schemaVersion: "1.0", tools: [], ...more } });
const part = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Parts of the server" }).getByRole("link", { name });
const rows = (page: Page, kind: string) => page.getByRole("region", { name: `List of ${kind}` });
const status = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test("[UI-servers] from the list of servers, or by Ctrl+K, to what one says of itself; it is pinged and restarted; its resources are read, filled in with proposals and watched, its prompts filled in, its log followed", async () => {
  const ui = await startUi(folder(file({ mcp_servers: { everything: everything() } })));
  const { page } = await openPage({ viewport: WIDE });
  await page.goto(ui.address());
  await page.getByRole("link", { name: "Variables and servers" }).click();
  await page.getByRole("link", { name: "everything", exact: true }).click();
  await page.getByRole("heading", { name: "everything", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Ping" }).click();
  await status(page, /It responded in \d+/);
  await page.getByText("mcp-servers/everything").waitFor();
  await page.getByText("2025-11-25").waitFor();
  await page.getByText("a program of this machine (stdio)").waitFor();
  await page.getByRole("region", { name: "Instructions" }).getByText("Everything Server").first().waitFor();
  expect(await violations(page)).toEqual([]);
  if (process.env["SHOT"]) await page.screenshot({ path: "/tmp/s-overview.png", fullPage: true });
  await page.getByRole("button", { name: "Restart" }).click();
  await status(page, /Restarted, at/);

  // A resource that was chosen here is read at once.
  await part(page, /Resources \(9\)/).click();
  await page.getByPlaceholder("Search resources").fill("features");
  await page.getByText("1 resource match").waitFor();
  await rows(page, "resources").getByRole("link").click();
  const content = page.getByRole("region", { name: "Content" });
  await content
    .getByRole("heading", { name: /Everything Server/ })
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);

  // One that is watched is read again when the server says that it has changed.
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await status(page, "The server tells of changes.");
  const before = await page.getByText(/^read at/).innerText();
  const call = async (name: string) => {
    const tab = await page.context().newPage();
    await tab.goto(`${ui.origin}/#/tools/${name}`);
    await callTool(tab);
    await tab.getByRole("region", { name: "Result" }).waitFor();
    await tab.close();
  };
  await call("toggle-subscriber-updates");
  await page.getByText(/Changed 1 time, last at/).waitFor();
  await expect.poll(() => page.getByText(/^read at/).innerText()).not.toBe(before);
  await page.getByRole("button", { name: "Watched" }).click();
  await page.getByText("The server tells of changes.").waitFor({ state: "detached" });

  // A template is filled in, with the address as it is typed.
  await page.getByPlaceholder("Search resources").fill("dynamic blob");
  await rows(page, "resources")
    .getByRole("link", { name: /Dynamic Blob/ })
    .click();
  await page.getByRole("button", { name: "Read it" }).click();
  await page.getByText("This is required.").waitFor();
  await page.getByLabel("resourceId required").fill("7");
  await page.getByText("demo://resource/dynamic/blob/7", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await content.getByText(/Resource 7: This is a base64 blob/).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "features.md", level: 1 }).waitFor();
  // What was read is still there.
  await content
    .getByRole("heading", { name: /Everything Server/ })
    .first()
    .waitFor();

  await part(page, /Prompts \(4\)/).click();
  await rows(page, "prompts")
    .getByRole("link", { name: /Simple Prompt/ })
    .click();
  await page.getByText("This is a simple prompt without arguments.").waitFor();
  await rows(page, "prompts")
    .getByRole("link", { name: /Team Management/ })
    .click();
  await page.getByRole("heading", { name: "Team Management", level: 1 }).waitFor();
  await page.getByLabel("department required").pressSequentially("S");
  const proposals = page.getByRole("listbox");
  await proposals.getByRole("option", { name: "Sales" }).waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  expect(await page.getByLabel("department required").inputValue()).toBe("Sales");
  await page.getByLabel("name required").focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => proposals.getByRole("option").allInnerTexts()).toEqual(["David", "Eve", "Frank"]);
  await proposals.getByRole("option", { name: "Eve" }).click();
  await page.getByRole("button", { name: "Get the messages" }).click();
  const messages = page.getByRole("region", { name: "Messages" });
  await messages.getByText("Please promote Eve to the head of the Sales team.").waitFor();
  await messages.getByText("user", { exact: true }).waitFor();
  // What was typed is there again after a reload, at the same address.
  await page.reload();
  await expect.poll(() => page.getByLabel("name required").inputValue()).toBe("Eve");
  await rows(page, "prompts")
    .getByRole("link", { name: /Resource Prompt/ })
    .click();
  await page.getByLabel("resourceType required").fill("Text");
  await page.getByLabel("resourceId required").fill("2");
  await page.getByRole("button", { name: "Get the messages" }).click();
  await messages.getByText(/Resource 2: This is a plaintext/).waitFor();

  await part(page, /Log/).click();
  await page.getByLabel("Level that the server sends from").selectOption("debug");
  await status(page, "It sends debug and above.");
  await call("toggle-simulated-logging");
  const log = page.getByRole("list", { name: "Log messages, newest first" });
  await log
    .getByText(/-level message/)
    .first()
    .waitFor();
  await page.getByLabel("Show from level").selectOption("emergency");
  await page.getByPlaceholder("Search the log messages").fill("nothing-like-it");
  await page.getByText("No log message matches.").waitFor();
  await page.getByText("Protocol log").click();
  await page
    .getByRole("list", { name: "Messages of everything" })
    .getByText(/logging\/setLevel/)
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("everything connected");
  await page.getByRole("option", { name: /MCP server everything/ }).click();
  await page.getByRole("heading", { name: "About the server" }).waitFor();
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    part(page, /Prompts/).click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await rows(tab, "prompts")
    .getByRole("link", { name: /Simple Prompt/ })
    .waitFor();
  // An address that is merely opened asks nothing of the server.
  await tab.goto(`${ui.origin}/#/servers/everything/resources/${encodeURIComponent(FEATURES)}`);
  await tab.getByRole("button", { name: "Read", exact: true }).waitFor();
  expect(await tab.getByRole("region", { name: "Content" }).count()).toBe(0);
  await tab.close();
  await part(page, /Tools \(\d+\)/).click();
  await page.getByRole("link", { name: /echo/ }).first().click();
  await page.getByRole("link", { name: "mcp:everything" }).click();
  await page.getByRole("heading", { name: "About the server" }).waitFor();
});
