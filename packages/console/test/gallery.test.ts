import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model } from "@mci-ts/council";
import { MCIClient } from "mci-ts";
import { codeTool } from "mci-ts/code";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { copyCluster } from "../../council-postgres/test/cluster.ts";
import { npmServer } from "../../mci/test/mcp/support.ts";
import { callTool, LAYOUT_RULES, openPage, violations } from "./support/browser.ts";
import { ask, startDemo } from "./support/demo.ts";
import { layoutFaults } from "./support/layout-faults.ts";
import { runMatrix, startMatrix } from "./support/matrix.ts";
import { startService, startSimulated, startSite, startUi, startWithModel } from "./support/servers.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 90_000 });

/** A folder: sheets with every screen and state, at three widths, light and dark, to be looked at. */
const GALLERY = process.env["MCI_GALLERY"];
const WIDTHS = [1280, 768, 360];
const HEIGHT = 900;
const EXPECTED = /Failed to load resource|ERR_|net::/;

interface Shot {
  readonly state: string;
  readonly pictures: readonly { readonly width: number; readonly data: string }[];
}

/** Pictures of states, joined to sheets of two each. */
class Sheets {
  readonly faults: string[] = [];
  readonly #shots: Shot[] = [];
  readonly #page: Page;
  readonly #name: string;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
    onTestFinished(() => this.#write());
  }

  async take(state: string): Promise<void> {
    await expect.poll(() => this.#page.getByText("Loading…").count()).toBe(0);
    const pictures: { width: number; data: string }[] = [];
    for (const width of WIDTHS) {
      await this.#page.setViewportSize({ width, height: HEIGHT });
      for (const colorScheme of ["light", "dark"] as const) {
        await this.#page.emulateMedia({ colorScheme });
        const axe = colorScheme === "light" ? (width === WIDTHS[0] ? undefined : null) : LAYOUT_RULES;
        if (axe !== null)
          for (const fault of await violations(this.#page, axe))
            this.faults.push(`${state}, ${width}, ${colorScheme}: ${fault}`);
        if (colorScheme === "light")
          for (const fault of await layoutFaults(this.#page))
            this.faults.push(`${state}, ${width}: ${fault}`);
        // The bar that stays in reach would stand in the middle of a picture of the whole page.
        await this.#page.evaluate(
          "for (const bar of document.querySelectorAll('.actions.sticky')) bar.style.position = 'static'",
        );
        const full = { fullPage: true, animations: "disabled" } as const;
        const size = await this.#page.evaluate<number>("document.documentElement.scrollHeight");
        const clip = { x: 0, y: 0, width, height: Math.min(size, 1500) };
        const data = await this.#page.screenshot({ ...full, clip });
        pictures.push({ width, data: data.toString("base64") });
      }
    }
    await this.#page.evaluate(
      "for (const bar of document.querySelectorAll('.actions.sticky')) bar.style.position = ''",
    );
    await this.#page.emulateMedia({ colorScheme: "light" });
    await this.#page.setViewportSize({ width: 1280, height: HEIGHT });
    this.#shots.push({ state, pictures });
  }

  async #write(): Promise<void> {
    mkdirSync(GALLERY!, { recursive: true });
    const sheet = await this.#page.context().newPage();
    for (let from = 0; from < this.#shots.length; from += 2) {
      const rows = this.#shots
        .slice(from, from + 2)
        .map(
          ({ state, pictures }) =>
            `<h3>${state}</h3><div>${pictures.map(({ width, data }) => `<img style="width:${width * 0.42}px" src="data:image/png;base64,${data}">`).join("")}</div>`,
        );
      await sheet.setViewportSize({ width: 2080, height: 700 });
      await sheet.setContent(
        `<style>body{margin:4px;font:14px sans-serif;background:#888}h3{margin:2px}div{display:flex;gap:4px;align-items:start}</style>${rows.join("")}`,
      );
      await sheet.screenshot({
        path: join(GALLERY!, `${this.#name}-${String(from / 2).padStart(2, "0")}.png`),
        fullPage: true,
      });
    }
    await sheet.close();
    writeFileSync(join(GALLERY!, `${this.#name}.txt`), this.faults.join("\n"));
  }
}

const text = (value: object) => ({ kind: "text" as const, text: JSON.stringify(value) });

test.runIf(GALLERY)(
  "no screen of the council has a fault of layout at any width [UI-accessible]",
  async () => {
    const { url, vote, objects, council, plan } = await startDemo();
    const { page } = await openPage({ allowedErrors: EXPECTED });
    const sheets = new Sheets(page, "council");
    const show = async (
      state: string,
      hash: string,
      ready: string | RegExp | Locator,
      act?: () => Promise<unknown>,
    ) => {
      await page.goto(`${url}/#/${hash}`);
      await (typeof ready === "string" || ready instanceof RegExp ? page.getByText(ready) : ready)
        .first()
        .waitFor();
      await act?.();
      await sheets.take(state);
    };
    await show("ask", "ask", "Latest");
    await show("vote", `runs/${vote}`, /won: \d+|Undecided/);
    await show("model call", `runs/${vote}`, /won: \d+|Undecided/, async () => {
      await page.locator(".call-row button").first().click();
      await page.getByRole("dialog").getByText("Prompt as sent").waitFor();
    });
    await page.keyboard.press("Escape");
    await show("share, what if", `runs/${vote}`, /won: \d+|Undecided/, async () => {
      await page.locator("summary", { hasText: "What if" }).click();
      await page.getByText("Share", { exact: true }).click();
    });
    const [shared] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Share as one HTML file" }).click(),
    ]);
    const file = join(mkdtempSync(join(tmpdir(), "console-shared-")), "run.html");
    await shared.saveAs(file);
    await page.goto(`file://${file}`);
    await page.getByText(/won: \d+|Undecided/).waitFor();
    await sheets.take("the shared file");
    await page.emulateMedia({ media: "print" });
    await sheets.take("the shared file, printed");
    await page.emulateMedia({ media: "screen" });
    for (let n = 0; n < 21; n++) {
      const id = await ask(url, {
        prompt: "For dates, is 'date-fns' good?",
        intent: "validation",
        config: { k: 2 },
      });
      await fetch(`${url}/runs/${id}/verdict`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ right: n % 7 !== 0, by: "check" }),
      });
    }
    await show("calibration", "calibration", "Every k and its price", () =>
      page.getByText("Every k and its price").first().click(),
    );
    const step = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-session-id": "agent-1" },
      body: JSON.stringify({
        model: "act",
        messages: [{ role: "user", content: "Which city has snow?" }],
        tools: [
          {
            type: "function",
            function: {
              name: "weather",
              parameters: { type: "object", properties: { city: { type: "string" } } },
            },
          },
        ],
      }),
    });
    await step.text();
    await show("session", "sessions/agent-1", /An agent, step by step/);
    await show("objects", `runs/${objects}`, page.getByRole("region", { name: "Fields of the answer" }));
    await show("council", `runs/${council}`, "Seat 1");
    await show("plan", `runs/${plan}`, "Measure size");
    await show("history", "runs", "is 'date-fns' good?");
    await show("compare", `compare/${vote}/${council}`, "Seat 1");
    await show("compare, choose", `compare/${vote}`, "Choose a second run.");
    await show("run not found", "runs/no-such-run", "does not exist");
    await show("palette", "runs", "is 'date-fns' good?", async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("team");
      await page.locator(".palette [role=option]").first().waitFor();
    });
    await page.keyboard.press("Escape");
    const seats = Array.from({ length: 25 }, (_, index) => ({
      contains: "You hold one seat",
      times: 1,
      reply: text({
        proposal: `${Array.from({ length: 120 }, (_, n) => `Reason ${n} for it, in words that go on.`).join(" ")}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSeat ${index} adds this.`,
        answer: index < 17 ? "tea" : index < 24 ? "coffee" : "water",
      }),
    }));
    const judge = {
      consensus: ["One"],
      contradictions: ["Two"],
      gaps: ["Three"],
      dissent: ["Four"],
      decision: `**Tea.** ${"Because it is tea. ".repeat(600)}`,
      answer: "tea",
    };
    const many = await startService({}, {
      rules: [
        ...seats,
        { contains: "You are the judge", reply: text(judge) },
        { contains: "hang", times: 1, reply: text({ rationale: "", answer: "yes" }) },
        {
          contains: "hang",
          times: 1,
          reply: text({
            rationale: "",
            answer: "a_very_long_identifier_without_any_blank_that_a_model_made_up_for_no_reason_at_all",
          }),
        },
        { contains: "hang", reply: { kind: "hang" } },
      ],
    } as never);
    const wide = await ask(many.url, {
      prompt: "What shall we drink?",
      intent: "decision",
      config: { num_voters: 25 },
    });
    await page.goto(`${many.url}/#/runs/${wide}`);
    await page.getByText("25 seats, 3 answers").waitFor();
    await sheets.take("25 seats");
    await page.locator("summary", { hasText: "17 seats of 25" }).click();
    await page.locator(".proposal summary").nth(1).click();
    await page.locator("summary", { hasText: "17 seats of 25" }).scrollIntoViewIfNeeded();
    await sheets.take("25 seats, opened");
    await page.goto(`${many.url}/#/ask`);
    await page.locator("summary", { hasText: "Options" }).click();
    await sheets.take("options");
    await page.getByLabel("Question or task").fill("Does it hang? Answer yes or no.");
    await page.getByLabel("Method").selectOption({ label: "Vote" });
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page
      .getByText(/leads|tied|more votes/)
      .first()
      .waitFor();
    await sheets.take("race in flight");
    await page.getByRole("button", { name: "Cancel run" }).click();
    await sheets.take("cancel asked");
    await page.getByRole("button", { name: "Cancel it for good" }).click();
    await page.getByText("The run was cancelled", { exact: true }).waitFor();
    await sheets.take("cancelled");
    const guarded = await startSimulated({ MCI_TOKEN: "a-secret-of-the-service" });
    await page.goto(guarded.url);
    await page.getByLabel("Token").fill("wrong");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("The token is wrong").waitFor();
    await sheets.take("token");
    await page.getByLabel("Token").fill("a-secret-of-the-service");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Simulated model").waitFor();
    await page.goto(`${guarded.url}/#/runs`);
    await page.getByText("No runs yet.").waitFor();
    await sheets.take("no runs, simulated");
    expect(sheets.faults).toEqual([]);
  },
);

test.runIf(GALLERY)(
  "no screen of an evaluation has a fault of layout at any width [UI-accessible]",
  async () => {
    const { page } = await openPage({ allowedErrors: EXPECTED });
    const sheets = new Sheets(page, "evaluations");
    const { url } = await startMatrix(page);
    await sheets.take("form of an evaluation");
    await page.getByRole("group", { name: /^1\./ }).getByText("Settings").click();
    await page.getByLabel("judge_model").first().waitFor();
    await sheets.take("settings of a configuration");
    await page.getByRole("button", { name: /^Start: / }).click();
    await page.getByRole("button", { name: "Ask them" }).waitFor();
    await sheets.take("before a start");
    await page.getByRole("button", { name: "Go back" }).click();
    await runMatrix(page);
    await sheets.take("matrix");
    await page.locator('[data-cell="4 3"]').click();
    await page.getByRole("dialog").getByText("Differences").first().click();
    await sheets.take("row of a matrix");
    await page.keyboard.press("Escape");
    await page.getByText("Export", { exact: true }).click();
    await page.getByRole("button", { name: "The command that repeats it" }).click();
    await page.locator(".commands code").first().waitFor();
    await sheets.take("exports of a matrix");
    await page.goto(`${url}/#/evaluate`);
    await page.getByRole("link", { name: /Small facts/ }).waitFor();
    await sheets.take("evaluations");
    expect(sheets.faults).toEqual([]);
  },
);

test.runIf(GALLERY)("no screen of a task has a fault of layout at any width [UI-accessible]", async () => {
  const dir = mkdtempSync(join(tmpdir(), "console-gallery-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await copyCluster(dir);
  let calls = 0;
  const complete: Model["complete"] = async ({ messages }) => {
    const n = Number(/The number is (\d+)/.exec(messages.at(-1)!.content)?.[1]);
    const answer = n === 6 ? 1000 + ++calls : n + 1;
    return {
      text: "",
      object: { rationale: "It is the next one. ".repeat(20), answer: { n: answer } },
      finishReason: "stop" as const,
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.0001 },
      latencyMs: 5,
    };
  };
  const { url } = await startWithModel(complete, { MCI_DATA_DIR: dir });
  const { page } = await openPage({ allowedErrors: EXPECTED });
  const sheets = new Sheets(page, "tasks");
  await page.goto(`${url}/#/tasks`);
  await page.getByText("No tasks yet.").waitFor();
  await sheets.take("no tasks");
  await page.getByRole("button", { name: "Fill in an example" }).click();
  await sheets.take("start form");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText("paused: undecided").waitFor({ timeout: 120_000 });
  await sheets.take("undecided step");
  await page.getByText("Every reply").click();
  await sheets.take("undecided step, replies");
  await page.goto(`${url}/#/tasks`);
  await page.locator(".task-row").first().waitFor();
  await sheets.take("tasks, waiting");
  expect(sheets.faults).toEqual([]);
});

test.runIf(GALLERY)(
  "no screen of an MCP server has a fault of layout at any width [UI-accessible] [UI-servers]",
  async () => {
    const { type: _, ...everything } = npmServer("everything");
    const cwd = folder({
      "mci.json": {
        schemaVersion: "1.0",
        tools: [],
        resources: [{ name: "own", uri: "own://x", execution: { type: "text", text: "of the file" } }],
        mcp_servers: { everything, dead: { command: "no-such-program" } },
      },
    });
    const ui = await startUi(cwd);
    const { page } = await openPage({ allowedErrors: EXPECTED });
    const sheets = new Sheets(page, "servers");
    const show = (hash: string) => page.goto(`${ui.origin}/#/${hash}`);
    const choose = (name: RegExp) => page.locator(".tool-rows").getByRole("link", { name }).click();
    await page.goto(ui.address());
    await show("servers/everything");
    await page.getByRole("button", { name: "Ping" }).click();
    await page.getByText(/It responded in/).waitFor();
    await sheets.take("overview");
    await show("servers/everything/resources");
    await page.getByText("9 resources").waitFor();
    await sheets.take("resources");
    await choose(/architecture/);
    await page.getByRole("region", { name: "Content" }).waitFor();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.getByText("The server tells of changes.").waitFor();
    await sheets.take("a resource that is watched");
    await show(
      `servers/everything/resources/${encodeURIComponent("demo://resource/dynamic/text/{resourceId}")}`,
    );
    await page.getByRole("button", { name: "Read it" }).click();
    await sheets.take("a template whose field is missing");
    await page.getByLabel("resourceId required").fill("7");
    await page.keyboard.press("Enter");
    await page.getByText(/Resource 7: This is/).waitFor();
    await sheets.take("a template that is filled in");
    await show("servers/everything/prompts");
    await choose(/Team Management/);
    await page.getByLabel("department required").fill("S");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await sheets.take("proposals");
    await page.keyboard.press("Escape");
    await choose(/Simple Prompt/);
    await page.getByRole("region", { name: "Messages" }).waitFor();
    await sheets.take("a prompt");
    await show("tools/toggle-simulated-logging");
    await callTool(page);
    await page.getByRole("link", { name: "What was sent and received" }).waitFor();
    await show("servers/everything/log");
    await page.locator(".log-line").first().waitFor();
    await page.getByText("Protocol log").click();
    await page.getByRole("list", { name: "Messages of everything" }).waitFor();
    await sheets.take("log");
    await show("servers/dead");
    await page.getByRole("region", { name: "What is wrong" }).waitFor();
    await page.getByRole("button", { name: "Restart" }).click();
    await page.getByText("mcp_restart_failed").waitFor();
    await sheets.take("a server that cannot be started");
    await show("servers/none");
    await page.getByText("The file has no MCP server of this name").waitFor();
    await sheets.take("no such server");
    await show("content/resources");
    await choose(/own/);
    await page.getByText("of the file").waitFor();
    await sheets.take("a resource of the file");
    await show("project");
    await page.getByRole("link", { name: "1 resource" }).waitFor();
    await sheets.take("servers and the file's own");
    expect(sheets.faults).toEqual([]);
  },
);

test.runIf(GALLERY)(
  "no screen of a file's tools has a fault of layout at any width [UI-accessible]",
  async () => {
    const node = (code: string) => ({ type: "cli", command: "node", args: ["-e", code] });
    const print = (value: unknown) =>
      node(`console.log(${JSON.stringify(typeof value === "string" ? value : JSON.stringify(value))})`);
    const rows = Array.from({ length: 12 }, (_, row) =>
      Object.fromEntries(
        Array.from({ length: 14 }, (_, column) => [
          `column_number_${column}`,
          column === 3 ? "a sentence that goes on for a while, as descriptions do" : `${row}.${column}`,
        ]),
      ),
    );
    const site = await startSite((request, response) => {
      if (request.url === "/pdf")
        response.setHeader("content-type", "application/pdf").end("%PDF-1.4\n%%EOF");
      else if (request.url === "/csv")
        response.setHeader("content-type", "text/csv").end("name,city\nAda,Rome\nBob,Oslo\n");
      else if (request.url === "/markdown")
        response
          .setHeader("content-type", "text/markdown")
          .end(
            `# Title\n\nA *text* with \`code\`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\n${"long line of code ".repeat(20)}\n\`\`\`\n`,
          );
      else
        response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ path: request.url, deep: { list: [1, null, true], text: "x".repeat(300) } }));
    });
    const http = (path: string) => ({
      annotations: { readOnlyHint: true },
      execution: { type: "http", url: `${site}${path}` },
    });
    const cwd = folder({
      "mci.json": {
        schemaVersion: "1.0",
        tools: [
          {
            name: "every_kind",
            description:
              "Has a field of every kind, and a description that is long enough to need more than one line of the list.",
            tags: ["forms", "long-tag-name-of-a-tool", "third"],
            inputSchema: {
              type: "object",
              required: ["city", "when", "people", "shape"],
              properties: {
                city: { type: "string", description: "Its name" },
                when: { type: "string", format: "date-time" },
                secret: { type: "string", format: "password" },
                colours: { type: "array", items: { enum: ["red", "green", "blue"] }, uniqueItems: true },
                people: {
                  type: "array",
                  items: {
                    type: "object",
                    properties: { name: { type: "string" }, age: { type: "integer" } },
                    required: ["name"],
                  },
                },
                headers: { type: "object", additionalProperties: { type: "string" } },
                shape: {
                  oneOf: [
                    {
                      title: "Circle",
                      type: "object",
                      properties: { radius: { type: "number" } },
                      required: ["radius"],
                    },
                    { title: "Square", type: "object", properties: { side: { type: "number" } } },
                  ],
                },
                note: { type: ["string", "null"] },
                file: { type: "string", contentEncoding: "base64" },
                big: { type: "boolean" },
              },
            },
            execution: { type: "text", text: "{{props.city}}" },
          },
          { name: "wide_table", ...{ annotations: { readOnlyHint: true } }, execution: print(rows) },
          { name: "tree", ...http("/tree") },
          { name: "csv", ...http("/csv") },
          { name: "pdf", ...http("/pdf") },
          { name: "markdown", ...http("/markdown") },
          { name: "nothing", annotations: { readOnlyHint: true }, execution: { type: "text", text: "" } },
          {
            name: "fail",
            annotations: { readOnlyHint: true },
            execution: node("console.error('no such thing '.repeat(60)); process.exit(3)"),
          },
          {
            name: "destroy",
            annotations: { destructiveHint: true },
            execution: {
              type: "http",
              method: "DELETE",
              url: `${site}/everything/that/is/there?with=${"long".repeat(40)}`,
            },
          },
          {
            name: "needs_key",
            execution: { type: "text", text: "{{env.SECRET_KEY_WITH_A_LONG_NAME_OF_ITS_OWN}}" },
          },
          ...Array.from({ length: 30 }, (_, index) => ({
            name: `another_tool_with_a_long_name_number_${index}`,
            description: "One more",
            execution: { type: "text", text: "x" },
          })),
        ],
        mcp_servers: { dead: { command: "no-such-program" } },
      },
    });
    const ui = await startUi(cwd);
    const client = await MCIClient.load(join(cwd, "mci.json")).catch(() => undefined);
    const { page } = await openPage({ allowedErrors: EXPECTED });
    const sheets = new Sheets(page, "tools");
    const show = (hash: string) => page.goto(`${ui.origin}/#/${hash}`);
    await page.goto(ui.address());
    await page.getByText("Choose a tool").waitFor();
    await sheets.take("tools");
    await show("tools/every_kind");
    await page.getByRole("button", { name: "Preview" }).waitFor();
    await page
      .locator("summary", { hasText: /optional/i })
      .first()
      .click();
    await sheets.take("form");
    for (const name of ["wide_table", "tree", "csv", "pdf", "markdown", "nothing", "fail"]) {
      await show(`tools/${name}`);
      await callTool(page);
      await page.getByRole("link", { name: "What was sent and received" }).waitFor();
      await sheets.take(`result: ${name}`);
    }
    await show("tools/destroy");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByRole("button", { name: "Send it" }).waitFor();
    await sheets.take("question before a call");
    await page.keyboard.press("Escape");
    await show("calls");
    await page.getByText("failed", { exact: true }).waitFor();
    await sheets.take("calls");
    await show("calls/2");
    await page.getByRole("heading", { name: /GET 200/ }).waitFor();
    await sheets.take("a call");
    await show("project");
    await page.getByText("no-such-program").first().waitFor();
    await sheets.take("variables and servers");
    await show("file?tool=tree");
    await page.getByRole("region", { name: "The exact request" }).waitFor();
    await sheets.take("split view");
    await show("file");
    await page.getByRole("textbox", { name: "The file" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" x");
    await page.getByRole("button", { name: /error Line/ }).waitFor();
    await page.getByRole("button", { name: "Changes" }).click();
    await sheets.take("editor with problems, changes");
    if (client) {
      const code = codeTool(client, { plans: join(cwd, ".mci", "plans") });
      const plan = await code.call("run_code", { code: "await tools.destroy({})" });
      await client.close();
      await show("plans");
      await page.getByText("waits for approval").waitFor();
      await sheets.take("plans");
      await show(`plans/${String(plan.metadata["plan_id"])}`);
      await page.getByText("destroy").first().waitFor();
      await sheets.take("a plan");
    }
    await ui.stop();
    await page.getByText("Offline: mci cannot be reached").waitFor();
    await sheets.take("offline");
    expect(sheets.faults).toEqual([]);
  },
);
