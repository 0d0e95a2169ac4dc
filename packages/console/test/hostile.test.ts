import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { copyCluster } from "../../council-postgres/test/cluster.ts";
import { serverWithLog } from "../../mci/test/mcp/support.ts";
import { callTool, openPage } from "./support/browser.ts";
import { ask } from "./support/demo.ts";
import { HOSTILE_TEXTS } from "./support/hostile-texts.ts";
import { startService, startUi, startWithModel } from "./support/servers.ts";

/*
 * Stored script, in everything that comes from files, tools, callers and models, on every screen of a real browser. The suite
 * has all texts in each string that a screen shows; `npm run fuzz:page` has each one alone in its string, with MCI_HOSTILE_TEXTS=0-50
 * only some of them. Strings of several texts are on one screen where it shows lists, so that most screens are loaded once for many.
 */
const EACH = process.env["MCI_HOSTILE"] === "each";
const [FROM, TO] = (process.env["MCI_HOSTILE_TEXTS"] ?? `0-${HOSTILE_TEXTS.length}`).split("-").map(Number);
const GROUP_SIZE = 25;
/** The texts of one string. */
type Part = readonly string[];
/** What one load of the page has to show. */
type Group = readonly Part[];
const PARTS: Group = EACH ? HOSTILE_TEXTS.slice(FROM, TO).map((text) => [text]) : [HOSTILE_TEXTS];
const GROUPS: readonly Group[] = Array.from({ length: Math.ceil(PARTS.length / GROUP_SIZE) }, (_, index) =>
  PARTS.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE),
);
const without0 = (text: string) => text.replaceAll("\0", "");

vi.setConfig({ testTimeout: EACH ? 3_600_000 : 180_000, hookTimeout: 90_000 });

/** A page that notes whatever runs, is asked for elsewhere, or is refused by its policy. */
async function watchedPage(origin: string) {
  const { page } = await openPage({
    allowedErrors: /Failed to load resource|Content Security Policy/i,
    fresh: true,
    // Nothing leaves, whatever the page asks for: what is not on this machine would go through a proxy that is not there. That costs
    // nothing; to stop each request here and let it go on takes time of each.
    proxy: { server: "http://127.0.0.1:9", bypass: "127.0.0.1,localhost" },
  });
  const noted: string[] = [];
  await page.addInitScript(
    `window.violations = [];
     document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));`,
  );
  page.on("dialog", (dialog) => {
    noted.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => noted.push(`window: ${popup.url()}`));
  page.on("console", (message) => {
    if (/content security policy|refused to/i.test(message.text())) noted.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) noted.push(`request: ${url}`);
  });
  return { page, noted };
}

/** Looks more often than the browser's own wait, which takes most of the time of a screen. */
async function shown(locator: Locator): Promise<void> {
  await expect.poll(() => locator.first().isVisible(), { interval: 15, timeout: 60_000 }).toBe(true);
}

/** Elements and attributes that no text may become, and addresses that no link may have. */
const FOREIGN = `[
  ...[...document.querySelectorAll("#root *")].filter((element) =>
    /^(script|iframe|object|embed|base|meta|link|style|form|template|marquee|math|use|animate)$/i.test(element.localName) &&
    !(element.localName === "form" && !element.hasAttribute("action"))),
  ...[...document.querySelectorAll("#root *")].filter((element) =>
    [...element.attributes].some(({ name }) => name.startsWith("on") || name === "srcdoc" || name === "autofocus")),
  ...[...document.querySelectorAll("#root a[href]")].filter((link) => !/^(https?|mailto):$/.test(link.protocol)),
  ...[...document.querySelectorAll("#root [src]")].filter((element) => !/^(data:(image|audio)\\/|blob:)/.test(element.src) && !element.src.startsWith(location.origin)),
].map((element) => element.outerHTML.slice(0, 200))`;

let screens = 0;

async function expectHarmless(page: Page, noted: readonly string[], where: string): Promise<void> {
  screens++;
  const state = await page.evaluate<object>(
    `({ hacked: window.hacked, violations: window.violations, foreign: ${FOREIGN} })`,
  );
  expect({ where, noted, ...state }).toEqual({ where, noted: [], violations: [], foreign: [] });
}

/** Prints the texts of a part as JSON; to stderr as a program that fails. */
const PRINT = `
  import { readFileSync } from "node:fs";
  const [stream, part] = process.argv.slice(2);
  const parts = JSON.parse(readFileSync("texts.json"));
  process[stream].write(JSON.stringify(part === undefined ? parts.flat() : parts[part]));
  process.exitCode = stream === "stderr" ? 1 : 0;`;

/** The whole file, or with `part` only what a file has once. */
function fileOf(group: Group, part: Part) {
  const joined = textOf(part);
  return {
    schemaVersion: "1.0",
    [part[0]!]: joined,
    metadata: { name: joined, description: joined },
    tools: [
      ...group.flatMap((texts, index) => toolsOf(texts, index)),
      {
        name: "choice",
        inputSchema: { type: "object", properties: { a: { enum: group.flat() } } },
        execution: print("stdout"),
      },
    ],
  };
}

const textOf = (part: Part) => part.map(without0).join("\n\n");
const print = (stream: string, part?: number) => ({
  type: "cli",
  command: process.execPath,
  args: ["print.mjs", stream, ...(part === undefined ? [] : [String(part)])],
});

function toolsOf(texts: Part, index: number) {
  const joined = textOf(texts);
  const properties = Object.fromEntries(
    texts.map((text) => [without0(text), { type: "string", title: text, description: text, default: text }]),
  );
  return [
    {
      name: `form${index}`,
      description: joined,
      tags: texts,
      annotations: { title: joined },
      inputSchema: { type: "object", properties },
      execution: { type: "file", path: `result${index}.txt`, enableTemplating: false },
    },
    { name: `fails${index}`, execution: print("stderr", index) },
    ...texts.map((text, at) => ({
      name: nameOf(text, index, at),
      description: text,
      execution: { type: "text", text: `{{env["${index}.${at}"]}}` },
    })),
  ];
}

const nameOf = (text: string, part: number, at: number) => `${without0(text)} ${part}.${at}`;

test("a page that asks for something elsewhere is noticed, and it does not leave", async () => {
  const { page, noted } = await watchedPage("http://127.0.0.1:1");
  const failed = page.waitForEvent("requestfailed");
  await page.setContent('<img src="http://evil.example/pixel.png">');
  expect((await failed).failure()?.errorText).toBe("net::ERR_PROXY_CONNECTION_FAILED");
  expect(noted).toEqual(["request: http://evil.example/pixel.png"]);
});

test("200 hostile texts stay texts on every screen of a file's tools [UI-injection]", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0" }, "print.mjs": PRINT });
  const ui = await startUi(cwd);
  const { page, noted } = await watchedPage(ui.origin);
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  const load = async (group: Group, part: Part, screen: string) => {
    write("mci.json", JSON.stringify(fileOf(group, part)));
    await page.goto(`${ui.origin}/#/${screen}`);
    await page.reload();
  };
  const view = async (name: string) => {
    await page.goto(`${ui.origin}/#/tools/${name}`);
    await page.getByRole("button", { name: "Preview" }).click();
    await shown(page.getByText("Preview: nothing was sent"));
    await callTool(page);
    await shown(page.getByRole("region", { name: "Result" }));
    const markdown = page.getByRole("button", { name: "Show as Markdown" });
    if ((await markdown.count()) > 0) await markdown.first().click();
    if (name.startsWith("form")) await shown(page.locator(".markdown").first());
    await expectHarmless(page, noted, `tool ${name}`);
  };
  await page.goto(ui.address());
  for (const group of GROUPS) {
    write(
      "texts.json",
      JSON.stringify(group.map((part) => [Object.fromEntries(part.map((text) => [text, text]))])),
    );
    for (const [index, part] of group.entries()) write(`result${index}.txt`, textOf(part));
    await load(group, group[0]!, "tools");
    await shown(page.getByRole("link", { name: /^form0/ }).first());
    await expectHarmless(page, noted, "tools");
    for (const [index, part] of group.entries()) {
      await view(`form${index}`);
      await view(`fails${index}`);
      await page.goto(`${ui.origin}/#/tools/${encodeURIComponent(nameOf(part[0]!, index, 0))}`);
      await shown(page.getByRole("heading", { level: 1 }));
      await expectHarmless(page, noted, "tool with a hostile name");
    }
    await view("choice");
    await page.goto(`${ui.origin}/#/calls`);
    await shown(page.getByRole("heading", { level: 1 }));
    await expectHarmless(page, noted, "calls");
    // What a file has once is shown for one part after the other.
    for (const part of group) {
      await load(EACH ? [part] : group, part, "file");
      await shown(page.getByText(/\d+ problems?/));
      await expectHarmless(page, noted, "file");
      await page.goto(`${ui.origin}/#/project`);
      await shown(page.getByRole("heading", { level: 1 }));
      await expectHarmless(page, noted, "project");
    }
  }
  // The watch itself works: were a text taken for markup, it would be noted.
  await page.evaluate(
    "document.querySelector('main').innerHTML += '<img src=http://evil.example/x onerror=hacked=1>'",
  );
  await expect.poll(() => page.evaluate(`violations.length > 0 && ${FOREIGN}.length > 0`)).toBe(true);
});

/** A server that says the texts wherever it can say anything. */
function serverOf(texts: readonly string[]) {
  const joined = texts.join("\n\n");
  const about = { name: joined, title: joined, version: joined };
  const named = (text: string, index: number) => ({
    name: `${text} ${index}`,
    title: text,
    description: text,
    mimeType: text,
  });
  const svg = Buffer.from(texts.join("")).toString("base64");
  const contents = [
    ...["text/plain", "text/html", "text/markdown", "image/svg+xml", "application/json", texts[0]!].map(
      (mimeType) => ({ uri: texts[0]!, mimeType, text: joined }),
    ),
    { uri: "x://json", mimeType: "application/json", text: JSON.stringify(texts) },
    { uri: joined.slice(0, 5000), mimeType: "image/svg+xml", blob: svg },
    { uri: "x://pdf", mimeType: "application/pdf", blob: svg },
    { uri: "x://any", mimeType: joined, blob: svg },
  ];
  const content = (text: string) => [
    { type: "text", text },
    { type: "resource_link", uri: text, name: text, title: text },
  ];
  return {
    about,
    instructions: joined.slice(0, 20_000),
    capabilities: {
      ...{ tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
      experimental: Object.fromEntries(texts.slice(0, 20).map((text) => [text, { [text]: text }])),
    },
    methods: {
      "tools/list": { result: { tools: [] } },
      "resources/list": {
        result: {
          resources: [
            { uri: "x://first", name: "first resource" },
            ...texts.map((text, index) => ({ uri: text, ...named(text, index) })),
          ],
        },
      },
      "resources/templates/list": {
        result: {
          resourceTemplates: [
            { uriTemplate: "x://open/{first}", name: "first template" },
            ...texts.map((text, index) => ({ uriTemplate: `${text}{a}`, ...named(text, index) })),
          ],
        },
      },
      "prompts/list": {
        result: {
          prompts: [
            {
              name: "first prompt",
              arguments: [
                { name: "given" },
                ...texts.slice(0, 99).map((text, index) => ({ ...named(text, index), required: false })),
              ],
            },
            ...texts.map(named),
          ],
        },
      },
      "resources/read": { result: { contents } },
      "resources/subscribe": { error: { code: -1, message: joined.slice(0, 5000) } },
      "prompts/get": {
        result: {
          description: joined,
          messages: texts.flatMap((text) => content(text).map((each) => ({ role: "user", content: each }))),
        },
      },
      // The protocol knows a hundred at once.
      "completion/complete": [texts.slice(0, 100), texts.slice(-100)].map((values) => ({
        result: { completion: { values } },
      })),
      ping: {
        result: {},
        before: texts.map((text) => ({
          method: "notifications/message",
          params: { level: text, logger: text, data: text.length % 2 === 0 ? text : { [text]: text } },
        })),
      },
    },
  };
}

test("200 hostile texts stay texts on the screens of an MCP server [UI-injection] [UI-servers]", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0" }, "script.json": {} });
  const ui = await startUi(cwd);
  const { page, noted } = await watchedPage(ui.origin);
  await page.goto(ui.address());
  const { type: _, ...server } = serverWithLog(undefined, "puppet", "2025", join(cwd, "script.json"));
  for (const [index, texts] of PARTS.entries()) {
    const name = `evil${index}`;
    writeFileSync(join(cwd, "script.json"), JSON.stringify(serverOf(texts)));
    writeFileSync(
      join(cwd, "mci.json"),
      JSON.stringify({ schemaVersion: "1.0", mcp_servers: { [name]: server } }),
    );
    const open = (path: string) => page.goto(`${ui.origin}/#/servers/${name}${path}`);
    const choose = (kind: string, label: string) =>
      page
        .getByRole("region", { name: `List of ${kind}` })
        .getByRole("link", { name: label })
        .click();
    await open("");
    await shown(page.getByRole("button", { name: "Ping" }));
    await page.getByRole("button", { name: "Ping" }).click();
    await shown(page.getByText(/It responded in/));
    await page.getByText("Capabilities, as it declares them").click();
    await expectHarmless(page, noted, "overview");

    await open("/resources");
    await page.getByPlaceholder("Search resources").fill("first");
    await choose("resources", "first resource");
    await shown(page.getByRole("region", { name: "Content" }));
    const asMarkdown = page.getByRole("button", { name: "Show as Markdown" });
    while ((await asMarkdown.count()) > 0) await asMarkdown.first().click();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await shown(page.getByText("It is not watched:"));
    await expectHarmless(page, noted, "resource");
    const proposals = page.getByRole("listbox").getByRole("option");
    await choose("resources", "first template");
    // What is there already is not proposed.
    await page.getByLabel("first required").fill(EACH ? "x" : texts[0]!);
    await shown(proposals);
    if (texts.length > 100) {
      await page.getByLabel("first required").fill(`${texts[0]} again`);
      await shown(proposals);
    }
    await expectHarmless(page, noted, "template");
    await proposals.first().click();
    await page.getByRole("button", { name: "Read it" }).click();
    await shown(page.getByRole("region", { name: "Content" }));
    await page.getByPlaceholder("Search resources").fill("");
    await expectHarmless(page, noted, "resources");
    await open(`/resources/${encodeURIComponent(texts[0]!)}`);
    await page.getByRole("button", { name: "Read", exact: true }).click();
    // An address and an argument with a NUL are refused.
    await shown(page.getByRole("region", { name: "Content" }).or(page.getByRole("alert")));
    await expectHarmless(page, noted, "resource with a hostile address");

    await open("/prompts");
    await choose("prompts", "first prompt");
    await page.getByLabel("given").fill(texts[0]!);
    await page.getByRole("button", { name: "Get the messages" }).click();
    await shown(page.getByRole("region", { name: "Messages" }).or(page.getByRole("alert")));
    await expectHarmless(page, noted, "prompt");
    await open("/log");
    await shown(page.getByRole("list", { name: "Log messages, newest first" }).getByRole("listitem"));
    for (const line of (await page.locator(".log-line summary").all()).slice(0, 20)) await line.click();
    await page.getByText("Protocol log").click();
    await expectHarmless(page, noted, "log of a server");
  }
});

const reply = (value: object) => ({ kind: "text" as const, text: JSON.stringify(value) });

test("200 hostile texts stay texts on every screen of the council [UI-injection]", async () => {
  const { url, script } = await startService({ MAKER_MAX_ANSWER_TOKENS: "100000" });
  const { page, noted } = await watchedPage(url);
  for (const [index, texts] of PARTS.entries()) {
    const joined = `canary${index} ${texts.map(without0).join("\n\n")}`;
    const verdict = {
      consensus: texts,
      contradictions: texts,
      gaps: texts,
      dissent: texts,
      decision: joined,
      answer: "A",
    };
    const plan = {
      task: joined,
      steps: texts
        .map((action, index) => ({
          id: index + 1,
          action: without0(action),
          dependencies: index === 0 ? [] : [index],
        }))
        .slice(0, 20),
      total_steps: Math.min(20, texts.length),
    };
    script({
      rules: [
        { contains: "You hold one seat", reply: reply({ proposal: joined, answer: "A" }) },
        { contains: "You are the judge", reply: reply(verdict) },
        { contains: "Decompose the task", reply: reply(plan) },
        { contains: "fail here", reply: { kind: "status", status: 400 } },
        { reply: { kind: "answer", answer: joined.slice(0, 4000) } },
      ],
    });
    const prompt = joined.slice(0, 8000);
    const ids = await Promise.all([
      ask(url, {
        prompt: `${prompt} Decide between A and B.`,
        intent: "decision",
        config: { peer_ranking: true },
      }),
      ask(url, { prompt: `${prompt} Decompose the task`, intent: "decomposition" }),
      ask(url, { prompt: `${prompt} Which?`, intent: "validation" }),
      ask(url, { prompt: `fail here ${prompt}`, intent: "validation" }),
    ]);
    await page.goto(`${url}/#/runs/${ids[0]}`);
    if (index % GROUP_SIZE === 0) await page.reload();
    for (const id of ids) {
      await page.goto(`${url}/#/runs/${id}`);
      await shown(page.getByRole("heading", { level: 1 }));
      await expect
        .poll(() => page.locator("main").innerText(), { timeout: 30_000 })
        .toContain(`canary${index}`);
      if (id === ids[0]) await shown(page.getByRole("heading", { name: "Seat 1" }));
      await expectHarmless(page, noted, `run ${ids.indexOf(id)}`);
    }
    await page.goto(`${url}/#/compare/${ids[0]}/${ids[2]}`);
    await shown(page.getByRole("combobox", { name: /First run/ }));
    await expectHarmless(page, noted, "compare");
    await page.goto(`${url}/#/runs`);
    await shown(page.getByRole("link", { name: new RegExp(`canary${index}`) }).first());
    await expectHarmless(page, noted, "history");
    await page.goto(`${url}/#/ask`);
    await page.getByLabel("Question or task").fill(prompt);
    await expectHarmless(page, noted, "ask");
  }
});

test("200 hostile texts stay texts on the screens of evaluations [UI-injection] [UI-matrix]", async () => {
  const { url, script } = await startService();
  const { page, noted } = await watchedPage(url);
  for (const group of GROUPS) {
    const texts = group.flat();
    // What repeats its question is discarded: each text is a question of one row, and the answer to that of another.
    script({
      rules: texts.map((text, at) => ({
        contains: `Which is ${at}.`,
        reply: { kind: "answer" as const, answer: `canary ${text}` },
      })),
    });
    const lines = texts.flatMap((text, at) => [
      JSON.stringify({ id: `${at} ${text}`, prompt: `Which is ${at}.`, answer: text, kind: text }),
      JSON.stringify({ prompt: text, rubric: text, vars: { [text]: text } }),
    ]);
    await page.goto(`${url}/#/evaluate`);
    await page.getByRole("button", { name: "New evaluation" }).click();
    await page.getByRole("textbox", { name: "Questions", exact: true }).fill(lines.join("\n"));
    await page.getByLabel("Name of the evaluation").fill(without0(texts[0]!));
    const column = page.getByLabel("Name", { exact: true }).first();
    await column.fill(without0(texts.at(-1)!).slice(0, 80));
    await page.getByRole("button", { name: "Remove 2" }).click();
    await page.getByLabel(/Questions at a time/).fill("16");
    await page.getByRole("button", { name: /^Start: / }).click();
    await page.getByRole("button", { name: "Ask them" }).click();
    await expect
      .poll(() => page.locator(".run-counts").innerText(), { timeout: 60_000 })
      .not.toMatch(/in flight|waiting|^0 of/);
    await expectHarmless(page, noted, "matrix");
    expect(await page.locator('[data-cell="0 1"]').innerText()).toContain("canary");
    await page.locator('[data-cell="0 1"]').click();
    await shown(page.getByRole("dialog").getByRole("link", { name: "The whole run" }));
    await expectHarmless(page, noted, "row of a matrix");
    await page.goto(`${url}/#/evaluate`);
    await shown(page.locator(".run-row").first());
    await expectHarmless(page, noted, "evaluations");
  }
});

test("200 hostile texts stay texts on the screens of tasks [UI-injection]", async () => {
  const dir = mkdtempSync(join(tmpdir(), "console-hostile-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await copyCluster(dir);
  let calls = 0;
  const { url } = await startWithModel(
    async (request) => {
      const at = Number(/part(\d+) /.exec(JSON.stringify(request))![1]);
      const part = PARTS[at]!;
      return {
        text: "",
        object: {
          rationale: part.join("\n"),
          answer: { t: `${++calls} part${at} ${stateOf(part)}`.slice(0, 3000) },
        },
        finishReason: "stop" as const,
        usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
        latencyMs: 1,
      };
    },
    { MCI_DATA_DIR: dir },
  );
  const { page, noted } = await watchedPage(url);
  for (const [number, group] of GROUPS.entries()) {
    const ids = await Promise.all(
      group.map((part, index) => startTask(url, `part${number * GROUP_SIZE + index} ${stateOf(part)}`, part)),
    );
    await page.goto(`${url}/#/tasks/${ids[0]}`);
    await page.reload();
    for (const id of ids) {
      await page.goto(`${url}/#/tasks/${id}`);
      await shown(page.getByText(/paused: undecided/));
      await expectHarmless(page, noted, "task");
    }
    await page.goto(`${url}/#/tasks`);
    await shown(page.locator(".task-row").first());
    await expectHarmless(page, noted, "tasks");
  }
});

const stateOf = (part: Part) => textOf(part).slice(0, 3900);

async function startTask(url: string, t: string, part: Part): Promise<string> {
  const response = await fetch(`${url}/tasks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      kind: "steps",
      name: textOf(part).slice(0, 150),
      state: { t },
      step: {
        prompt: "{{state.t}}",
        answer: {
          type: "object",
          properties: { t: { type: "string" } },
          required: ["t"],
          additionalProperties: false,
        },
        next: "{ t: answer.t }",
      },
      until: "state.t == 'never'",
      max_steps: 3,
      config: { k: 2 },
    }),
  });
  const task = (await response.json()) as { id: string };
  expect(task.id, JSON.stringify(task)).toBeDefined();
  return task.id;
}

test("the run looked at every screen with every text", () => {
  expect(HOSTILE_TEXTS.length).toBe(200);
  expect(new Set(HOSTILE_TEXTS).size).toBe(200);
  // Of a file five of each part and three of each group, of a server and of the council seven, of tasks one and one, of evaluations three of each group.
  expect(screens).toBe(PARTS.length * (5 + 7 + 7 + 1) + GROUPS.length * (3 + 1 + 3));
});
