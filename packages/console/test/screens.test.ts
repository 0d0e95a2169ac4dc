import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openPage, overflowsSideways, picture, violations } from "./support/browser.ts";
import { startService, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const QUICKSTART = new URL("../../../examples/quickstart/tools.mci.json", import.meta.url).pathname;
const SCHEMES = ["light", "dark"] as const;

async function ask(url: string, prompt: string, intent: string): Promise<string> {
  const response = await fetch(`${url}/mcp/model`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt, intent }),
  });
  return response.headers.get("x-request-id")!;
}

/** A service with a run of each method, asked of a provider whose votes are contested. */
async function startWithRuns() {
  const { url } = await startService({ MCI_TOOLS: QUICKSTART, MAKER_K: "4" }, {
    rules: [{ reply: { kind: "refusal" }, contains: "moment", times: 2 }],
    behaviour: { seed: 7, accuracy: 0.62, truth: "date-fns", wrong: ["moment.js"] },
  } as never);
  const vote = await ask(
    url,
    "For dates in a new project, is 'moment.js' or 'date-fns' better?",
    "validation",
  );
  const council = await ask(url, "Should a team of five split its monolith into services?", "decision");
  const plan = await ask(url, "Break down the move of a database to a new region.", "decomposition");
  return { url, vote, council, plan };
}

/** Each screen by its address, and what shows that it is complete. */
function screensOf({ vote, council, plan }: { vote: string; council: string; plan: string }) {
  return [
    ["ask", "#/ask", (page: Page) => page.getByLabel("Question or task")],
    ["vote", `#/runs/${vote}`, (page: Page) => page.getByText(/won: \d+|Undecided/)],
    ["council", `#/runs/${council}`, (page: Page) => page.getByRole("heading", { name: "Seat 1" })],
    ["plan", `#/runs/${plan}`, (page: Page) => page.getByRole("heading", { name: "Calls" })],
    ["history", "#/runs", (page: Page) => page.getByText("Should a team of five")],
    [
      "compare",
      `#/compare/${vote}/${council}`,
      (page: Page) => page.getByRole("heading", { name: "Seat 1" }),
    ],
    ["tools", "#/tools/get_weather", (page: Page) => page.getByRole("button", { name: "Preview" })],
    ["file", "#/file", (page: Page) => page.getByText(/No problems|problem/).first()],
    ["project", "#/project", (page: Page) => page.getByText("WEATHER_KEY")],
    ["calls", "#/calls", (page: Page) => page.getByRole("heading", { name: "Calls" })],
    ["nowhere", "#/nowhere", (page: Page) => page.getByText("There is no such screen.")],
  ] as const;
}

test("axe finds nothing on any screen, light and dark, and none is wider than 360 px", async () => {
  const runs = await startWithRuns();
  const found: Record<string, readonly string[]> = {};
  for (const colorScheme of SCHEMES) {
    const { page } = await openPage({ colorScheme, viewport: { width: 1100, height: 820 } });
    for (const [name, hash, ready] of screensOf(runs)) {
      await page.setViewportSize({ width: 1100, height: 820 });
      await page.goto(`${runs.url}/${hash}`);
      await ready(page).waitFor();
      const wide = await violations(page);
      if (name !== "nowhere") await picture(page, `${name}-${colorScheme}`);
      await page.setViewportSize({ width: 360, height: 740 });
      const narrow = await violations(page);
      if (await overflowsSideways(page)) narrow.push("wider than 360 px");
      if (wide.length + narrow.length > 0) found[`${name} ${colorScheme}`] = [...wide, ...narrow];
    }
  }
  expect(found).toEqual({});
});

test("a question is asked, and a tool is called, with the keyboard alone", async () => {
  const { url } = await startService({ MCI_TOOLS: QUICKSTART });
  const { page } = await openPage();
  await page.goto(url);
  // The question has the focus already.
  await page.getByLabel("Question or task").waitFor();
  await page.keyboard.type("Is it safe? Answer yes or no.");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/won: \d+/).waitFor({ timeout: 60_000 });

  const tabTo = async (name: RegExp) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate<string>(
        "document.activeElement?.getAttribute('aria-label') || document.activeElement?.innerText || document.activeElement?.labels?.[0]?.innerText || ''",
      );
      if (name.test(focused)) return;
    }
    throw new Error(`Tab never reached ${name}`);
  };
  await page.goto(`${url}/#/tools`);
  await page.getByRole("link", { name: /greet/ }).waitFor();
  await tabTo(/^greet/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "greet" }).waitFor();
  await tabTo(/^name/);
  await page.keyboard.type("Ada");
  await page.keyboard.press("Enter");
  await page.getByText("Hello Ada!").waitFor();
});

test("the console of a file has pictures of its own", async () => {
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [
        {
          name: "list_people",
          description: "People and where they live",
          inputSchema: {
            type: "object",
            properties: { city: { type: "string", enum: ["Rome", "Oslo"], default: "Rome" } },
          },
          execution: {
            type: "cli",
            command: process.execPath,
            args: ["-e", "console.log(JSON.stringify([{name:'Ada',city:'Rome'},{name:'Bob',city:'Oslo'}]))"],
          },
        },
      ],
    },
  });
  const ui = await startUi(cwd);
  for (const colorScheme of SCHEMES) {
    const { page } = await openPage({ colorScheme, viewport: { width: 1100, height: 820 } });
    await page.goto(ui.address());
    await page.getByRole("link", { name: /list_people/ }).click();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByRole("region", { name: "Result" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, `tool-result-${colorScheme}`);
  }
});
