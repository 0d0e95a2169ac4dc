import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { npmServer, serverWithLog } from "../../mci/test/mcp/support.ts";
import { callTool, LAYOUT_RULES, openPage, tabTo, violations } from "./support/browser.ts";
import { layoutFaults } from "./support/layout-faults.ts";
import { openTab } from "./support/open-tab.ts";
import { startRun, startSimulated, startUi } from "./support/servers.ts";

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
  const watched = page.getByRole("region", { name: "Watched (1)" });
  await watched.getByText(/changed 1 time/).waitFor();
  await watched.getByRole("link", { name: FEATURES }).waitFor();
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
    .getByText(/response to logging\/setLevel/)
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

/** A server that does what `script.json` of the folder says at that moment. */
function puppet(cwd: string) {
  const script = join(cwd, "script.json");
  return {
    settings: settings(serverWithLog(undefined, "puppet", "2025", script)),
    says: (text: object) => writeFileSync(script, JSON.stringify(text)),
  };
}

const LONG = "a_name_without_any_blank_".repeat(40);
const MANY = {
  about: { name: `‮${LONG}`, version: "1" },
  instructions: "line\n".repeat(3000),
  capabilities: {
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
    completions: {},
  },
  methods: {
    "resources/list": {
      result: {
        resources: [
          { uri: `x://${LONG.repeat(10)}`, name: LONG, description: LONG, mimeType: LONG },
          ...Array.from({ length: 9999 }, (_, n) => ({ uri: `x://${n}`, name: `number ${n}` })),
        ],
      },
    },
    "resources/templates/list": {
      result: { resourceTemplates: [{ uriTemplate: "x://{a", name: "broken" }] },
    },
    "prompts/list": { result: { prompts: [{ name: LONG, arguments: [{ name: LONG, required: true }] }] } },
    "resources/read": {
      result: {
        contents: [
          { uri: "x://big", text: "line of text\n".repeat(400_000) },
          { uri: "x://rtl", text: "\u202eمرحبا" },
          { uri: "x://empty", text: "" },
          { uri: "x://bin", mimeType: "application/zip", blob: "UEsDBA==" },
        ],
      },
    },
    "logging/setLevel": {
      result: {},
      before: Array.from({ length: 3000 }, (_, n) => ({
        method: "notifications/message",
        params: { level: "info", data: n === 2999 ? "the last" : LONG },
      })),
    },
    ping: { result: {} },
  },
};

test("[UI-servers] 10,000 resources, five megabytes, names without blanks and storms of log messages leave the page usable, with the keyboard alone and at 360 px", async () => {
  const cwd = folder({});
  const { settings, says } = puppet(cwd);
  says(MANY);
  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify({ schemaVersion: "1.0", tools: [], mcp_servers: { many: settings } }),
  );
  const ui = await startUi(cwd);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: /502/ });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/servers/many`);
  const faults: string[] = [];
  const look = async (state: string) => {
    faults.push(...(await violations(page)).map((each) => `${state}: ${each}`));
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    for (const each of [...(await violations(page, LAYOUT_RULES)), ...(await layoutFaults(page))])
      faults.push(`${state}, narrow: ${each}`);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(WIDE);
  };
  await page.getByRole("heading", { name: "many", level: 1 }).waitFor();
  await tabTo(page, /^Ping$/);
  await page.keyboard.press("Enter");
  await status(page, /It responded in/);
  await look("overview");

  // A new part begins at its heading; the list is one stop of the Tab key.
  await tabTo(page, /^Resources/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("H1");
  await page.getByText("10,001 resources").waitFor();
  await look("resources");
  expect(await rows(page, "resources").getByRole("link").count()).toBeLessThan(60);
  await tabTo(page, /^broken/);
  await page.keyboard.press("Enter");
  await page.getByText("This is not a template by the standard").waitFor();
  await look("a template that is not one");
  // At 360 px the list was not there, so the focus was lost.
  await rows(page, "resources")
    .getByRole("link", { name: /broken/ })
    .focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("The address is too long to be asked for").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "number 0", level: 1 }).waitFor();
  const content = page.getByRole("region", { name: "Content" });
  await content.getByRole("button", { name: "Show all 5,200,000 characters" }).waitFor();
  await content.getByText("Binary content, to download:").waitFor();
  await content.getByText("The result is empty").waitFor();
  expect((await content.innerText()).length).toBeLessThan(300_000);
  await look("a large resource");
  await tabTo(page, /^Watch$/);
  await page.keyboard.press("Enter");
  // The server knows no such request, and says so.
  await page.getByText("It is not watched:").waitFor();
  await page.getByText("Method not found").first().waitFor();
  await look("not watched");
  await page.getByPlaceholder("Search resources").fill("9998 number");
  await page.getByText("1 resource match").waitFor();
  await page.getByLabel("Address of a resource that is not listed").fill("x://not/../listed?a=b#c%2F");
  await page.keyboard.press("Enter");
  await page.getByText("It is not in the list.").waitFor();
  await content.getByText("x://big").waitFor();
  await look("an address that is not listed");

  await part(page, /Prompts/).click();
  await rows(page, "prompts").getByRole("link").click();
  await tabTo(page, /^Get the messages$/);
  await page.keyboard.press("Enter");
  await page.getByText("Not sent: one field is missing.").waitFor();
  expect(await page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
  await page.keyboard.type("x");
  // No completion of this server: it says so, and the field stays a field.
  await page.getByText(/No proposals: /).waitFor();
  await look("a prompt whose field is missing");
  await page.keyboard.press("Enter");
  await page.getByText(/Failed to get the prompt/).waitFor();
  await look("a prompt that fails");

  await part(page, /Log/).click();
  await page.getByLabel("Level that the server sends from").selectOption("info");
  await page
    .getByText(/the last/)
    .first()
    .waitFor();
  await page.getByText(/came too fast to be kept/).waitFor();
  expect(await page.locator(".log-line").count()).toBeLessThanOrEqual(100);
  await look("log");
  expect(faults).toEqual([]);
});

test("[UI-servers] the page of a server says that its lists changed, that it died, cannot be started, is asked by no one or was removed from the file; the service and mci run --ui have it, too", async () => {
  const cwd = folder({});
  const { settings, says } = puppet(cwd);
  const listed = (...names: string[]) => ({
    capabilities: { resources: { listChanged: true } },
    methods: {
      "resources/list": { result: { resources: names.map((name) => ({ uri: `x://${name}`, name })) } },
      "resources/templates/list": { result: { resourceTemplates: [] } },
      ping: { result: {}, before: [{ method: "notifications/resources/list_changed" }] },
      "resources/read": { result: { contents: [{ uri: "x://one", text: "read" }] } },
    },
  });
  says(listed("one"));
  const write = (servers: object) =>
    writeFileSync(
      join(cwd, "mci.json"),
      JSON.stringify({ schemaVersion: "1.0", tools: [], mcp_servers: servers }),
    );
  write({ mine: settings });
  const ui = await startUi(cwd);
  const { page } = await openPage({ viewport: WIDE, allowedErrors: /404|502|ERR_/ });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/servers/mine/resources`);
  await rows(page, "resources").getByRole("link", { name: "one" }).waitFor();
  says(listed("one", "two"));
  // In another tab, so that it is the server that tells this one.
  const other = await page.context().newPage();
  await other.goto(`${ui.origin}/#/servers/mine`);
  await other.getByRole("button", { name: "Ping" }).click();
  await status(other, /It responded in/);
  await rows(page, "resources").getByRole("link", { name: "two" }).waitFor();
  await page.getByText(/The server changed its resources at/).waitFor();
  await part(page, /Resources \(2\)/).waitFor();

  // It dies; the next request begins another session.
  const alive = listed("one", "two");
  says({ ...alive, methods: { ...alive.methods, ping: { exit: 3 } } });
  await other.getByRole("button", { name: "Ping" }).click();
  await other.getByText(/the server ended with exit code 3/).waitFor();
  says(alive);
  await page.getByText("closed", { exact: true }).waitFor();
  await page.getByText("Its session has ended").waitFor();
  await rows(page, "resources").getByRole("link", { name: "one" }).click();
  await page.getByRole("region", { name: "Content" }).getByText("read", { exact: true }).waitFor();
  await page.getByText("connected", { exact: true }).waitFor();

  write({ mine: settings, down: { command: "no-such-program", args: ["{{env.NO_SUCH_VALUE}}"] } });
  await other.goto(`${ui.origin}/#/servers/down`);
  await other.getByRole("region", { name: "What is wrong" }).waitFor();
  await other.getByRole("button", { name: "Restart" }).click();
  await other.getByText("mcp_restart_failed").waitFor();
  expect(await violations(other)).toEqual([]);
  await other.close();
  write({});
  await page.getByText("The file has no MCP server of this name").waitFor();
  expect(await violations(page)).toEqual([]);
  write({ mine: settings });
  await rows(page, "resources").getByRole("link", { name: "two" }).waitFor();
  // What a server does not offer is another thing than an empty list.
  await page.getByText("It has not been started").waitFor();
  await page.goto(`${ui.origin}/#/servers/mine`);
  await page.getByRole("button", { name: "Ping" }).click();
  await status(page, /It responded in/);
  await part(page, /Prompts/).click();
  await page.getByText("The server does not offer prompts.").waitFor();
  await page.goto(`${ui.origin}/#/servers/__proto__`);
  await page.getByText("The file has no MCP server of this name").waitFor();
  await ui.stop();
  await page.getByText("Offline: mci cannot be reached").waitFor();

  // What the file itself offers, in the service.
  const own = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [],
      resources: [{ name: "own", uri: "own://x", execution: { type: "text", text: "of the file" } }],
      prompts: [
        {
          name: "greet",
          arguments: [{ name: "who", required: true }],
          execution: { type: "text", text: "Hi {{props.who}}" },
        },
      ],
      mcp_servers: { everything: everything() },
    },
  });
  const run = await startRun(own);
  const service = await startSimulated({ MCI_TOOLS: join(own, "mci.json") });
  for (const [origin, address] of [
    [run.origin, run.address()],
    [service.url, service.url],
  ] as const) {
    await page.goto(address);
    await page.goto(`${origin}/#/project`);
    await page.getByRole("link", { name: "1 resource" }).click();
    await rows(page, "resources").getByRole("link", { name: "own" }).click();
    await page.getByText("of the file").waitFor();
    await page.getByRole("link", { name: "Prompts (1)" }).click();
    await rows(page, "prompts").getByRole("link", { name: "greet" }).click();
    await page.getByLabel("who required").fill("Ada");
    await page.keyboard.press("Enter");
    await page.getByText("Hi Ada").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${origin}/#/servers/everything/prompts`);
    await rows(page, "prompts")
      .getByRole("link", { name: /Simple Prompt/ })
      .click();
    await page.getByText("This is a simple prompt without arguments.").waitFor();
  }
});

test("[UI-servers] [UI-call] a call of a server's tool shows how far it is, leads to the resources it links to, and says where its result breaks the output schema", async () => {
  const cwd = folder({});
  const { settings, says } = puppet(cwd);
  const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  says({
    methods: {
      "tools/list": { result: { tools: [{ name: "wrong", inputSchema: { type: "object" }, outputSchema }] } },
      "tools/call": { result: { content: [], structuredContent: { n: "seven" } } },
    },
  });
  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify({
      schemaVersion: "1.0",
      tools: [],
      mcp_servers: { everything: everything(), mine: settings },
    }),
  );
  const ui = await startUi(cwd);
  const { page } = await openPage({ viewport: WIDE });
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/trigger-long-running-operation`);
  await page.getByLabel("duration").fill("3");
  await page.getByLabel("steps").fill("6");
  await callTool(page);
  await page.getByRole("progressbar", { name: "Progress" }).waitFor();
  await page.getByText(/^[1-6] of 6/).waitFor();
  await page
    .getByText(/Long running operation completed/)
    .first()
    .waitFor();
  expect(await page.getByRole("progressbar").count()).toBe(0);

  await page.goto(`${ui.origin}/#/tools/get-resource-links`);
  await callTool(page);
  await page
    .getByRole("link", { name: /^demo:/ })
    .first()
    .click();
  await page.getByText("It is not in the list.").waitFor();
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page
    .getByRole("region", { name: "Content" })
    .getByText(/^Resource 1: /)
    .waitFor();

  await page.goto(`${ui.origin}/#/tools/wrong`);
  await page.getByText("Schemas").click();
  await page.getByRole("heading", { name: "Output" }).waitFor();
  await callTool(page);
  await page.getByRole("region", { name: "Not what the output schema says" }).getByText("/n").waitFor();
  expect(await violations(page)).toEqual([]);
});

test("[UI-servers] a read can be cancelled, the server is told; a resource that changes without pause is read once a second, and no secret reaches the page", async () => {
  const cwd = folder({});
  const { settings, says } = puppet(cwd);
  const SECRET = "s3cret-of-the-server";
  const uri = "x://busy";
  const say = (read: object) =>
    says({
      about: { name: SECRET, version: SECRET },
      stderr: `starting with ${SECRET}\n`,
      instructions: `Say ${SECRET}`,
      capabilities: { resources: { subscribe: true }, logging: {} },
      methods: {
        "resources/list": { result: { resources: [{ uri, name: "busy", description: SECRET }] } },
        "resources/templates/list": { result: { resourceTemplates: [] } },
        "resources/subscribe": { result: {} },
        "resources/unsubscribe": { result: {} },
        "resources/read": read,
        ping: {
          result: {},
          before: [
            ...Array.from({ length: 40 }, () => ({
              method: "notifications/resources/updated",
              params: { uri },
            })),
            { method: "notifications/message", params: { level: "info", data: SECRET } },
          ],
        },
      },
    });
  say({ silent: true });
  const server = settings as { env?: object };
  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify({
      schemaVersion: "1.0",
      tools: [],
      mcp_servers: { busy: { ...server, env: { ...server.env, KEY: "{{env.SECRET}}" } } },
    }),
  );
  const ui = await startUi(cwd, { env: { SECRET } });
  const { page } = await openPage({ viewport: WIDE });
  const seen: string[] = [];
  const look = async () => seen.push(await page.content());
  const ask = await openTab(ui);
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/servers/busy/resources`);
  await rows(page, "resources").getByRole("link", { name: "busy" }).click();
  await page.getByText("Reading…").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Reading was cancelled.").waitFor();
  expect(await violations(page)).toEqual([]);
  say({ result: { contents: [{ uri, text: `the key is ${SECRET}` }] } });
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page.getByText("the key is ***").waitFor();
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await status(page, "The server tells of changes.");
  await look();

  const other = await page.context().newPage();
  await other.goto(`${ui.origin}/#/servers/busy`);
  const began = Date.now();
  for (let n = 0; n < 5; n++) {
    await other.getByRole("button", { name: "Ping" }).click();
    await other.getByRole("button", { name: "Ping" }).isEnabled();
    await status(other, /It responded in/);
  }
  await page.getByText(/Changed \d+ times?, last at/).waitFor();
  seen.push(await other.content());
  await other.close();
  await page.waitForTimeout(1500);
  const seconds = (Date.now() - began) / 1000;
  const { messages } = (await (await ask("servers/busy/log")).json()) as { messages: { text: string }[] };
  const count = (method: string) => messages.filter(({ text }) => text.includes(`"${method}"`)).length;
  expect(count("notifications/cancelled")).toBe(1);
  expect(count("notifications/resources/updated")).toBe(200);
  await part(page, /Log/).click();
  await page.getByText("Protocol log").click();
  await page.getByRole("list", { name: "Messages of busy" }).waitFor();
  await look();
  // Beside the one that was cancelled and the first.
  const reads = count("resources/read") - 2;
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(seconds + 1);
  expect(seen.join("\n")).toContain("starting with ***");
  expect(seen.join("\n")).not.toContain(SECRET);
});
