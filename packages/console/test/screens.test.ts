import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { callTool, LAYOUT_RULES, openPage, PICTURES, picture, tabTo, violations } from "./support/browser.ts";
import { startDemo } from "./support/demo.ts";
import { layoutFaults } from "./support/layout-faults.ts";
import { runMatrix, startMatrix } from "./support/matrix.ts";
import { startService, startSimulated, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });

const QUICKSTART = new URL("../../../examples/quickstart/tools.mci.json", import.meta.url).pathname;
const EXPECTED = /Failed to load resource|ERR_|net::/;
const WIDE = { width: 1100, height: 820 };
const NARROW = { width: 360, height: 740 };
/** What nobody would write, and generated files and models do. */
const LONG = "a_name_without_any_blank_".repeat(5);

/**
 * Everything that axe finds in this state of the page, in both colour schemes and both widths, and what is cut off, too wide
 * or over something else. With a name its pictures are taken. The page is wide and light before and after.
 */
async function check(page: Page, state: string, { name }: { name?: string } = {}): Promise<string[]> {
  const found = [...(await violations(page)), ...(await layoutFaults(page))];
  if (name && PICTURES) {
    await picture(page, `${name}-light`);
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, `${name}-dark`);
  }
  // The colours change while the page is narrow: to draw it costs a third of what the wide one does.
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await violations(page, LAYOUT_RULES)));
  found.push(...(await layoutFaults(page)));
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(WIDE);
  return found.map((each) => `${state}: ${each}`);
}

test("axe finds nothing on any screen of the service, and none is wider than 360 px [UI-accessible]", async () => {
  const { url, vote, objects, council, plan } = await startDemo();
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  const found: string[] = [];
  const heading = (name: string | RegExp) => page.getByRole("heading", { name });
  const screens = [
    ["ask", "ask", page.getByRole("heading", { name: "Latest" })],
    ["vote", `runs/${vote}`, page.getByText(/won: \d+|Undecided/)],
    ["objects", `runs/${objects}`, page.getByRole("region", { name: "Fields of the answer" })],
    ["council", `runs/${council}`, heading("Seat 1")],
    ["plan", `runs/${plan}`, page.getByRole("region", { name: "Graph of the steps" })],
    ["history", "runs", page.getByText("Should a team of five")],
    [undefined, "runs?q=nothing-like-it", page.getByText("No run matches.")],
    ["compare", `compare/${vote}/${council}`, heading("Seat 1")],
    [undefined, `compare/${vote}`, page.getByText("Choose a second run.")],
    [undefined, "runs/no-such-run", page.getByText("does not exist")],
    ["tools", "tools/get_weather", page.getByRole("button", { name: "Preview" })],
    [undefined, "tools?q=nothing-like-it", page.getByText("No tool matches.")],
    [undefined, "file", page.getByText(/No problems|problem/).first()],
    ["project", "project", page.getByText("WEATHER_KEY")],
    [undefined, "calls", page.getByText("No calls yet.")],
    [undefined, "nowhere", page.getByText("There is no such screen.")],
  ] as const;
  for (const [name, hash, ready] of screens) {
    await page.goto(`${url}/#/${hash}`);
    await ready.waitFor();
    found.push(...(await check(page, hash, name ? { name } : {})));
  }
  // The whole menu is in one row, or in one that scrolls.
  for (const width of [1440, 1280, 1241, 1240]) {
    await page.setViewportSize({ width, height: 820 });
    found.push(...(await layoutFaults(page)).map((each) => `${width}: ${each}`));
  }
  expect(found).toEqual([]);
});

test("axe finds nothing in the states between: options, a race in flight, cancelled, a token that is wanted, refused and right, simulated [UI-accessible] [UI-token]", async () => {
  const found: string[] = [];
  const hanging = await startService({ MAKER_K: "3" }, {
    rules: [
      { times: 1, reply: { kind: "answer", answer: "no" } },
      { times: 2, reply: { kind: "answer", answer: "yes" } },
      { reply: { kind: "hang" } },
    ],
  } as never);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  await page.goto(hanging.url);
  await page.locator("summary", { hasText: "Options" }).click();
  found.push(...(await check(page, "options", { name: "options" })));
  await page
    .getByLabel("Question or task")
    .fill("Is it safe to store passwords with bcrypt? Answer yes or no.");
  await page.getByLabel("Method").selectOption({ label: "Vote" });
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("“yes” leads by 1. 2 more votes in a row decide.").waitFor();
  found.push(...(await check(page, "race in flight", { name: "race" })));
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("button", { name: "Cancel it for good" }).click();
  await page.getByText("The run was cancelled", { exact: true }).waitFor();
  found.push(...(await check(page, "cancelled")));

  const guarded = await startSimulated({ MCI_TOKEN: "a-secret-of-the-service" });
  await page.goto(guarded.url);
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The token is wrong").waitFor();
  found.push(...(await check(page, "token wrong")));
  await page.getByLabel("Token").fill("a-secret-of-the-service");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Simulated model").waitFor();
  await page.goto(`${guarded.url}/#/runs`);
  await page.getByText("No runs yet.").waitFor();
  found.push(...(await check(page, "no runs, simulated")));
  expect(found).toEqual([]);
});

test("axe finds nothing on the screens of evaluations: none, a form, before a start, a matrix, one that is filtered, a row, exports [UI-accessible] [UI-matrix]", async () => {
  const found: string[] = [];
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  const empty = await startSimulated();
  await page.goto(`${empty.url}/#/evaluate`);
  await page.getByText("No evaluations yet.").waitFor();
  found.push(...(await check(page, "no evaluations")));
  await page.goto(`${empty.url}/#/evaluate/none`);
  await page.getByText("There is no such evaluation").waitFor();
  found.push(...(await check(page, "no such evaluation")));
  await startMatrix(page);
  await page.getByLabel(/Questions at a time/).waitFor();
  await page.getByRole("button", { name: "Use a prompt with variables" }).click();
  await page.getByRole("button", { name: "Add a prompt" }).click();
  await page.getByRole("textbox", { name: "Prompt 2" }).fill(`{{${LONG}}} ${LONG}`);
  await page.getByRole("group", { name: /^1\./ }).getByText("Settings").click();
  await page.getByLabel("judge_model").first().waitFor();
  await page.getByLabel("Name", { exact: true }).nth(2).fill(LONG.slice(0, 80));
  await page.getByRole("group", { name: /^3\./ }).getByLabel("Prompt").selectOption("1");
  await page.getByText("which it lacks").first().waitFor();
  found.push(...(await check(page, "form of an evaluation")));
  await page.getByRole("button", { name: "Remove prompt 2" }).click();
  await page.getByRole("button", { name: /^Start: / }).click();
  await page.getByRole("button", { name: "Ask them" }).waitFor();
  found.push(...(await check(page, "before a start")));
  await page.getByRole("button", { name: "Go back" }).click();
  await page.getByLabel("Name", { exact: true }).nth(2).fill("");
  await runMatrix(page);
  await page.getByRole("heading", { name: "Small facts" }).waitFor();
  found.push(...(await check(page, "matrix")));
  if (PICTURES)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `matrix-${colorScheme}`, page.locator("main"));
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByLabel("Rows").selectOption("differ");
  await page.locator('[data-cell="0 1"]').click();
  await page.getByRole("dialog").getByText("Differences").first().click();
  found.push(...(await check(page, "row of a matrix", { name: "matrix-row" })));
  await page.keyboard.press("Escape");
  await page.getByText("Export", { exact: true }).click();
  await page.getByRole("button", { name: "The command that repeats it" }).click();
  await page.locator(".commands code").first().waitFor();
  found.push(...(await check(page, "exports of a matrix")));
  await page.goto(page.url().replace(/#.*/, "#/evaluate"));
  await page.getByRole("link", { name: /Small facts/ }).waitFor();
  found.push(...(await check(page, "evaluations")));
  expect(found).toEqual([]);
});

test("axe finds nothing on the screens of a file: tool, results, editor with problems, servers, calls, offline, and how to go on after mci ui was started again [UI-accessible] [UI-restart]", async () => {
  const node = (code: string) => ({ type: "cli", command: "node", args: ["-e", code] });
  // Wider than any window: the table scrolls, and the page does not.
  const columns = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a_column_of_its_own_${n}`, n]));
  const people = JSON.stringify([
    {
      name: "Ada",
      city: "Rome",
      since: 2019,
      about: "A sentence that goes on, as descriptions do",
      ...columns,
    },
    { name: "Bob", city: "Oslo", since: 2022, about: "Another one, which is about as long", ...columns },
  ]);
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [
        {
          name: "list_people",
          description: `People and where they live, ${LONG}`,
          tags: [LONG],
          inputSchema: {
            type: "object",
            required: [LONG],
            properties: {
              [LONG]: { type: "array", items: { enum: [LONG] }, description: LONG },
              ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`more_${n}`, { type: "string" }])),
              city: { type: "string", enum: ["Rome", "Oslo"], default: "Rome" },
              limits: { type: "object", properties: { most: { type: "integer" } } },
              skills: { type: "array", items: { type: "string" } },
            },
          },
          execution: node(`console.log(${JSON.stringify(people)})`),
        },
        { name: "fail", execution: node("console.error('no such thing'); process.exit(3)") },
        { name: LONG, execution: { type: "text", text: `{{env.${LONG}}}` } },
      ],
      mcp_servers: { [`dead_${LONG}`]: { command: `no-such-program-${LONG}` } },
    },
  });
  const ui = await startUi(cwd);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: EXPECTED });
  const found: string[] = [];
  const show = (hash: string) => page.goto(`${ui.origin}/#/${hash}`);
  await page.goto(ui.address());
  await page.getByText("Choose a tool").waitFor();
  found.push(...(await check(page, "tools of a file")));
  await show(`tools/${LONG}`);
  await page.getByRole("button", { name: "Preview" }).waitFor();
  found.push(...(await check(page, "a tool with a long name")));
  await show("tools/list_people");
  await page.getByText("more_11 and 3 more").waitFor();
  await page.getByRole("checkbox", { name: LONG }).check();
  await callTool(page);
  await page.getByRole("cell", { name: "Oslo" }).waitFor();
  found.push(...(await check(page, "result as a table")));
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await page.getByRole("button", { name: "Show as tree" }).click();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Preview: nothing was sent").waitFor();
  found.push(...(await check(page, "input as JSON, preview, tree")));
  await show("tools/fail");
  await callTool(page);
  await page.getByRole("heading", { name: /Failed/ }).waitFor();
  found.push(...(await check(page, "failed call")));
  await show("calls");
  await page.getByText("failed", { exact: true }).waitFor();
  found.push(...(await check(page, "calls")));
  await show("project");
  await page.getByText("no-such-program").first().waitFor();
  await page.getByText(LONG).first().waitFor();
  found.push(...(await check(page, "servers")));
  await show("file");
  await page.getByRole("textbox", { name: "The file" }).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" x");
  await page.getByRole("button", { name: /error Line/ }).waitFor();
  found.push(...(await check(page, "editor with problems")));
  await ui.stop();
  await page.getByText("Offline: mci cannot be reached").waitFor();
  found.push(...(await check(page, "offline")));
  await startUi(cwd, { port: Number(new URL(ui.origin).port) });
  await page.reload();
  await page.getByRole("heading", { name: "This tab has no access" }).waitFor();
  found.push(...(await check(page, "no access")));
  expect(found).toEqual([]);
});

test("every action works with the keyboard alone: asking, replaying, comparing, calling, copying, editing, saving [UI-accessible]", async () => {
  const { url } = await startService({ MCI_TOOLS: QUICKSTART });
  const { page } = await openPage({
    allowedErrors: EXPECTED,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(url);
  // The question has the focus already.
  await page.getByLabel("Question or task").waitFor();
  await page.keyboard.type("Is it safe? Answer yes or no.");
  await tabTo(page, /^Options/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Method/);
  await page.keyboard.type("V");
  await page.keyboard.press("Tab");
  await tabTo(page, /^Question/, "Shift+Tab");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/won: \d+/).waitFor();
  await tabTo(page, /^One event back/);
  for (let step = 0; step < 3; step++) await page.keyboard.press("Enter");
  await page.getByText(/won: \d+/).waitFor({ state: "detached" });
  await tabTo(page, /^Event$/);
  await page.keyboard.press("Home");
  await page.getByText(/^0 of \d+ events/).waitFor();
  await page.keyboard.press("End");
  await page.getByText(/won: \d+/).waitFor();
  await tabTo(page, /^Compare$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Compare two runs" }).waitFor();
  await tabTo(page, /^Tools$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /greet/ }).waitFor();
  // The list is one stop, at its first tool.
  await tabTo(page, /^greet/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "greet" }).waitFor();
  await tabTo(page, /^name/);
  await page.keyboard.type("Ada");
  await page.keyboard.press("Enter");
  await page.getByText("Hello Ada!").waitFor();
  await tabTo(page, /^Copy as mci call/);
  await page.keyboard.press("Enter");
  await page.getByText("Copied as mci call.").waitFor();

  const ui = await startUi(folder({ "mci.json": { schemaVersion: "1.0", tools: [] } }));
  await page.goto(ui.address());
  await page.getByText("The file has no tools.").waitFor();
  await tabTo(page, /^File$/);
  await page.keyboard.press("Enter");
  await page.getByText("No problems.").waitFor();
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press("Tab");
    if (await page.getByRole("textbox", { name: "The file" }).evaluate((e) => e.matches(":focus"))) break;
  }
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  // Tab indents; Escape first leaves the editor.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  expect(await page.getByRole("textbox", { name: "The file" }).evaluate((e) => e.matches(":focus"))).toBe(
    false,
  );
});
