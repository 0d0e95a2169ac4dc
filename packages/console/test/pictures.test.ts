import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { npmServer } from "../../mci/test/mcp/support.ts";
import { callTool, openPage, PICTURES, picture, violations } from "./support/browser.ts";
import { startSite, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });

const HOURS = [9, 12, 15, 18].map((hour, index) => ({
  hour: `${hour}:00`,
  temperature: [17.5, 21, 22.5, 19][index],
  rain_mm: [0, 0, 0.4, 1.2][index],
}));

const project = (site: string) => ({
  schemaVersion: "1.0",
  tools: [
    {
      name: "get_forecast",
      description: "The weather of a city, hour by hour",
      tags: ["weather"],
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: "object",
        properties: {
          city: { type: "string", description: "Its name, in any language" },
          unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
        },
        required: ["city"],
      },
      execution: {
        type: "http",
        url: `${site}/forecast`,
        params: { city: "{{props.city}}", unit: "{{props.unit}}" },
        auth: { type: "bearer", token: "{{env.WEATHER_TOKEN}}" },
      },
    },
    {
      name: "greet",
      description: "Greets a person by name",
      inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      execution: { type: "text", text: "Hello {{props.name}}!" },
    },
    {
      name: "count_lines",
      description: "Counts the lines of the file of tools",
      execution: { type: "cli", command: "wc", args: ["-l", "mci.json"] },
    },
  ],
});

async function both(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
    await picture(page, `${name}-${colorScheme}`);
  }
}

// Only when pictures are asked for: what they show is tested elsewhere.
test.runIf(PICTURES)("pictures of the tools, in both colour schemes [UI-accessible]", async () => {
  const site = await startSite((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(HOURS));
  });
  const ui = await startUi(folder({ "mci.json": `${JSON.stringify(project(site), null, 2)}\n` }), {
    env: { WEATHER_TOKEN: "not-a-real-token" },
  });
  const { page } = await openPage({ viewport: { width: 1280, height: 820 } });
  await page.goto(ui.address());
  await page.getByRole("link", { name: /get_forecast/ }).click();
  await page.getByLabel("city").fill("Lisbon");
  await callTool(page);
  await page.getByRole("cell", { name: "15:00" }).waitFor();
  await both(page, "tool-result");
  await page.getByRole("link", { name: "What was sent and received" }).click();
  await page.getByRole("heading", { name: "GET 200 OK" }).waitFor();
  await both(page, "tool-call");
  await page.goto(`${ui.origin}/#/project`);
  await page.getByRole("row", { name: /WEATHER_TOKEN/ }).waitFor();
  await both(page, "project");

  await page.goto(`${ui.origin}/#/file?tool=get_forecast`);
  await page.getByRole("region", { name: "The exact request" }).waitFor();
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.keyboard.type("/forecast");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.type("/forecast/today");
  await page.getByText("/forecast/today?city=Lisbon").waitFor();
  await page.evaluate("document.activeElement.blur()");
  await both(page, "split");
  await page.goto(`${ui.origin}/#/file`);
  await page.getByRole("button", { name: "Changes" }).click();
  await page.getByRole("region", { name: "Changes that are not saved" }).waitFor();
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  await both(page, "file");
});

test.runIf(PICTURES)(
  "pictures of an MCP server, in both colour schemes [UI-accessible] [UI-servers]",
  async () => {
    const { type: _, ...everything } = npmServer("everything");
    const ui = await startUi(
      folder({ "mci.json": { schemaVersion: "1.0", tools: [], mcp_servers: { everything } } }),
    );
    const { page } = await openPage({ viewport: { width: 1280, height: 820 } });
    await page.goto(ui.address());
    await page.goto(`${ui.origin}/#/servers/everything`);
    await page.getByRole("button", { name: "Ping" }).click();
    await page.getByText(/It responded in/).waitFor();
    await both(page, "server");
    await page.goto(`${ui.origin}/#/servers/everything/resources`);
    await page.getByRole("link", { name: /architecture/ }).click();
    await page.getByRole("region", { name: "Content" }).waitFor();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.getByText("The server tells of changes.").waitFor();
    await both(page, "server-resource");
    await page.goto(`${ui.origin}/#/servers/everything/prompts`);
    await page.getByRole("link", { name: /Team Management/ }).click();
    await page.getByLabel("department required").fill("Sales");
    await page.keyboard.press("Escape");
    await page.getByLabel("name required").fill("Eve");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Get the messages" }).click();
    await page.getByText("Please promote Eve").waitFor();
    await page.getByLabel("name required").fill("");
    await page.getByRole("listbox").getByRole("option", { name: "Frank" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await both(page, "server-prompt");
  },
);
