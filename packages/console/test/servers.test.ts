import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { npmServer } from "../../mci/test/mcp/support.ts";
import { openPage, tabTo, violations } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

/* The screen of an MCP server, with real servers from npm. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const settings = ({ type: _, ...server }: object & { type: string }) => server;
const everything = () => settings(npmServer("everything"));
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
  await content.getByRole("heading", { name: /Everything Server/ }).first().waitFor();
  expect(await violations(page)).toEqual([]);
  if (process.env["SHOT"]) await page.screenshot({ path: "/tmp/s-resource.png", fullPage: true });
});
