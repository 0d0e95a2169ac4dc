import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { runScripts } from "../../../test/programs/run-script.ts";
import { folder, mci, mciCommand } from "../../cli/test/mci.ts";
import { callTool, LAYOUT_RULES, openPage, overflowsSideways, violations } from "./support/browser.ts";
import { startSite, startUi } from "./support/servers.ts";

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

async function openTools(
  files: Readonly<Record<string, object | string>> = { "mci.json": file(greet, missing) },
  env = {},
) {
  const cwd = folder(files);
  const ui = await startUi(cwd, { env });
  const { page, errors } = await openPage({
    allowedErrors: /Failed to load resource|ERR_/,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(ui.address());
  return { cwd, ui, page, errors };
}

/** Takes what the editor offers. It ignores keys in the first moment, lest one meant for the text is taken for an answer. */
async function accept(page: Page, name: string | RegExp) {
  await page.getByRole("option", { name }).waitFor();
  await page.waitForTimeout(120);
  await page.keyboard.press("Enter");
}

test("a tool is found, filled in with a form, previewed and called; its call is listed, and made again with the same input [UI-call] [UI-calls]", async () => {
  const { page } = await openTools();
  await page.getByPlaceholder("Search tools").fill("gre");
  // Rows move while the list is searched, and a click would meet another one.
  await page.getByRole("link", { name: /needs_key/ }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  await page.locator("summary", { hasText: "3 optional fields" }).click();
  await page.getByLabel("mood").selectOption("sad");
  await page.getByRole("button", { name: "Add friends" }).click();
  await page.getByRole("textbox", { name: "friends 1" }).fill("Bob");
  await page.getByRole("button", { name: "Fill in home" }).click();
  await page.getByLabel("city").fill("Rome");
  await callTool(page);
  await page.getByText("Hello Ada, sad").waitFor();
  const input = { name: "Ada", mood: "sad", friends: ["Bob"], home: { city: "Rome" } };
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  expect(JSON.parse(await page.getByLabel("Input as JSON").inputValue())).toEqual(input);

  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("succeeded").waitFor();
  await page.getByRole("link", { name: "Again: greet" }).click();
  // Back in the middle of a form: what was typed, and the field that had the focus.
  await page.getByLabel(/^name/).fill("Bob");
  await page.getByLabel("mood").focus();
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("succeeded").waitFor();
  await page.goBack();
  await expect.poll(() => page.getByLabel("mood").evaluate((e) => e.matches(":focus"))).toBe(true);
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Bob");
  await page.getByLabel(/^name/).fill("Ada");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  expect(JSON.parse(await page.getByLabel("Input as JSON").inputValue())).toEqual(input);
});

test("an edit of the file shows at once, a broken one and a removed file say so; the tools and what was typed stay", async () => {
  const { page, cwd } = await openTools();
  const path = join(cwd, "mci.json");
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByLabel(/^name/).fill("Ada");
  writeFileSync(path, JSON.stringify(file({ ...greet, description: "Says hello" }, missing)));
  await page.getByText("Says hello").first().waitFor();
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Ada");

  writeFileSync(path, "{ broken");
  await page.getByText("The file cannot be loaded").waitFor();
  await page.getByRole("link", { name: /greet/ }).waitFor();
  rmSync(path);
  await page.getByText("The file was removed.").waitFor();
  await page.getByRole("link", { name: /greet/ }).waitFor();
  expect(await page.getByLabel(/^name/).inputValue()).toBe("Ada");
  writeFileSync(path, JSON.stringify(file(greet)));
  await page.getByText("The file cannot be loaded").waitFor({ state: "detached" });
});

test("the editor shows problems at their lines as one types, completes keys, saves on request only, and never over an edit from elsewhere [UI-editor] [UI-conflict]", async () => {
  // Every property is used: the editor has nothing to say about the file.
  const { name, mood } = greet.inputSchema.properties;
  const tidy = { ...greet, inputSchema: { ...greet.inputSchema, properties: { name, mood } } };
  const { page, cwd } = await openTools({ "mci.json": `${JSON.stringify(file(tidy), null, 2)}\n` });
  const path = join(cwd, "mci.json");
  await page.getByRole("link", { name: "File", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "The file" });
  await editor.click();
  await page.getByText("No problems.").waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("x");
  await page.getByRole("button", { name: /error Line/ }).waitFor();
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(file(tidy), null, 2)}\n`);
  await page.keyboard.press("Backspace");
  await page.getByText("No problems.").waitFor();

  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.type('"toolse');
  await accept(page, /toolsets/);
  await page.keyboard.type("[],");
  await page.getByText("No problems.").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ toolsets: [], ...file(tidy) });

  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n\n");
  await page.getByText("Not saved").waitFor();
  const elsewhere = JSON.stringify(file({ ...greet, name: "other" }));
  writeFileSync(path, elsewhere);
  await page.getByText("The file was changed by something else").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The service refused: changed").waitFor();
  await page.getByRole("button", { name: "Copy your text" }).click();
  await page.getByText("Copied.", { exact: true }).waitFor();
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain('"toolsets": []');
  expect(readFileSync(path, "utf8")).toBe(elsewhere);
  await page.getByRole("button", { name: /Open again/ }).click();
  await editor.getByText("other").waitFor();
});

test("from a tool to its definition; beside the file stand form, request and response, and the request changes as one types; text is found, folded, compared and saved [UI-definition] [UI-split] [UI-editor]", async () => {
  const tools = file(greet, {
    name: "needs_key",
    execution: { type: "text", text: "Key {{env.SECRET_KEY}}" },
  });
  const text = `${JSON.stringify(tools, null, 2)}\n`;
  const { page, cwd } = await openTools({ "mci.json": text }, { SECRET_KEY: "hidden-value" });
  const saved = () => readFileSync(join(cwd, "mci.json"), "utf8");
  await page.getByRole("link", { name: /greet/ }).click();
  await page.getByRole("link", { name: "Definition in the file" }).click();
  const editor = page.getByRole("textbox", { name: "The file" });
  // The editor is loaded now.
  await editor.waitFor();
  await expect
    .poll(() => editor.evaluate((element) => element.matches(":focus")), { timeout: 10_000 })
    .toBe(true);
  await page.keyboard.press("Control+c");
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe('"name": "greet",');

  const request = page.getByRole("region", { name: "Request" });
  await page.getByLabel(/^name/).fill("Ada");
  await request.getByText("Hello Ada, glad").waitFor();
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.keyboard.type("Hello ");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.type("Howdy ");
  await request.getByText("Howdy Ada, glad").waitFor();
  expect(await page.getByRole("button", { name: "Call", exact: true }).isDisabled()).toBe(true);
  expect(saved()).toBe(text);
  await page.getByRole("button", { name: "Changes" }).click();
  const changes = page.getByRole("region", { name: "Changes that are not saved" });
  await changes.locator("del", { hasText: "Hello {{props.name}}" }).waitFor();
  await changes.locator("ins", { hasText: "Howdy {{props.name}}" }).waitFor();
  expect(await violations(page)).toEqual([]);

  // A text that cannot be loaded says so, and what was there stays.
  await page.keyboard.press("Escape");
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("x");
  await request.getByText("Below: of the last text that could be loaded.").waitFor();
  await request.getByText("Howdy Ada, glad").waitFor();
  await page.keyboard.press("Backspace");
  await request.getByText("Below:").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(saved()).toBe(text.replace("Hello", "Howdy"));

  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("region", { name: "Result" }).getByText("Howdy Ada, glad").waitFor();
  await page.getByRole("button", { name: "Save as test" }).click();
  await page.getByText("Saved in mci.tests.json, which has 1 test.").waitFor();
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  await editor.getByText("needs_key …").waitFor();
  await editor.getByText("{{env.SECRET_KEY}}").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Unfold all" }).click();
  await editor.getByText("{{env.SECRET_KEY}}").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowsSideways(page)).toBe(false);
  expect(await violations(page, LAYOUT_RULES)).toEqual([]);

  await page.getByLabel("Tool beside the file").selectOption("needs_key");
  await request.getByText("Key ***").waitFor();
  expect(await page.content()).not.toContain("hidden-value");
  await page.goto(`${new URL(page.url()).origin}/#/file?tool=no_such_tool`);
  await page.getByText("The file does not define the tool “no_such_tool”.").waitFor();
});

test("a YAML file is completed by its indentation [UI-editor]", async () => {
  const { page, cwd } = await openTools({ "mci.yaml": "schemaVersion: '1.0'\ntools:\n  - name: greet\n" });
  await page.getByRole("link", { name: "File", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "The file" });
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("    exec");
  await accept(page, /execution/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("  typ");
  await accept(page, /^type/);
  await page.keyboard.type("te");
  await accept(page, "text");
  await page.keyboard.press("Enter");
  await page.keyboard.type("text: Hello");
  await page.getByText("No problems.").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(readFileSync(join(cwd, "mci.yaml"), "utf8")).toBe(
    "schemaVersion: '1.0'\ntools:\n  - name: greet\n    execution: \n      type: text\n      text: Hello",
  );
});

test("variables are set or missing, servers connected or failed with what they print, and no secret is anywhere", async () => {
  const server = `
    import { createInterface } from "node:readline";
    console.error("listening with", process.env.KEY);
    const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "initialize") reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "healthy", version: "1" } });
      else if (method === "tools/list") reply(id, { tools: [{ name: "shout", inputSchema: { type: "object" } }] });
      else if (method === "tools/call") { console.error("shouting"); reply(id, { content: [{ type: "text", text: "HELLO" }] }); }
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
    });`;
  const { page } = await openTools(
    {
      "server.mjs": server,
      "mci.json": {
        ...file(greet, missing),
        mcp_servers: {
          healthy: {
            command: process.execPath,
            args: ["server.mjs"],
            env: { KEY: "{{env.SECRET_KEY}}" },
          },
          dead: { command: "no-such-program" },
        },
      },
    },
    { SECRET_KEY: "hidden-value" },
  );
  await page.getByRole("link", { name: "Variables and servers" }).click();
  await page.getByRole("row", { name: /SECRET_KEY set/ }).waitFor();
  const healthy = page.getByRole("listitem").filter({ hasText: "healthy" });
  await healthy.getByText("connected", { exact: true }).waitFor();
  await healthy.getByText("listening with ***").waitFor();
  await page.getByRole("listitem").filter({ hasText: "dead" }).getByText("failed", { exact: true }).waitFor();
  await healthy.getByRole("link", { name: "1 tool" }).click();
  await page.getByRole("link", { name: /shout/ }).click();
  await callTool(page);
  await page.getByText("HELLO").waitFor();
  await page.getByRole("link", { name: "Variables and servers" }).click();
  await healthy.getByText("shouting").waitFor();
  expect(await page.content()).not.toContain("hidden-value");
});

test("what is copied runs as it is, whatever was typed", async () => {
  const seen: { url: string; header: string; body: string }[] = [];
  const site = await startSite(async (request, response) => {
    seen.push({
      url: request.url!,
      header: String(request.headers["x-who"]),
      body: await readText(request),
    });
    response.end("thanks");
  });
  const send = {
    name: "send it",
    inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
    execution: {
      type: "http",
      method: "POST",
      url: `${site}/people[1]`,
      headers: { "x-who": "{{props.who}}" },
      body: { type: "json", content: { who: "{{props.who}}" } },
    },
  };
  const { page, cwd } = await openTools({ "mci.json": file(send, greet) });
  const who = `O'Neil "$(touch hacked)" \`id\` \\ %s`;
  await page.getByRole("link", { name: /send it/ }).click();
  await page.getByLabel(/^who/).fill(who);
  const copied = async (form: string) => {
    await page.getByRole("button", { name: `Copy as ${form}` }).click();
    await page.getByText(`Copied as ${form}.`).waitFor();
    return page.evaluate<string>("navigator.clipboard.readText()");
  };
  const expectSent = () => {
    const [request] = seen.splice(0);
    expect(request).toEqual({ url: "/people[1]", header: who, body: JSON.stringify({ who }) });
    expect(existsSync(join(cwd, "hacked"))).toBe(false);
  };

  const curl = await execute("sh", ["-c", await copied("curl")], cwd);
  expect(curl).toContain("thanks");
  expectSent();

  const [program, [bin]] = mciCommand([], { cwd });
  const shell = `mci() { '${program}' '${bin}' "$@"; }\n${await copied("mci call")}`;
  expect(await execute("sh", ["-c", shell], tmpdir())).toContain("thanks");
  expectSent();

  const script = join(cwd, "copied.mts");
  writeFileSync(script, await copied("TypeScript"));
  const { stdout, stderr } = (await runScripts([script])).get(script)!;
  expect(stdout + stderr).toContain("The tool succeeded.");
  expectSent();

  const { command, args } = JSON.parse(await copied("MCP config")).mcpServers.tools;
  expect([command, args[0], args[1]]).toEqual(["npx", "-y", "@mci-ts/cli"]);
  const initialize = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const served = await mci(args.slice(2), { cwd: tmpdir(), stdin: `${JSON.stringify(initialize)}\n` });
  expect(JSON.parse(served.stdout.split("\n")[0]!).result.capabilities.tools).toBeDefined();
});

test("mci ui opens the browser; where there is none it says so", async () => {
  const cwd = folder({ "mci.json": file(greet) });
  // The programs that openBrowser starts, as a user's desktop has them.
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(cwd, name), `#!/bin/sh\nprintf %s "$*" > "${cwd}/opened"\n`);
    chmodSync(join(cwd, name), 0o755);
  }
  const start = async (path: string) => {
    const child = spawn(...mciCommand(["ui"], { cwd, env: { PATH: path } }));
    const ended = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    return () => output;
  };
  const withBrowser = await start(`${cwd}:/usr/bin:/bin`);
  await expect.poll(() => existsSync(join(cwd, "opened")), { timeout: 20_000 }).toBe(true);
  await expect
    .poll(() => readFileSync(join(cwd, "opened"), "utf8"), { timeout: 20_000 })
    .toMatch(/^file:\/\/\S+\.html$/);
  expect(withBrowser()).not.toContain("No browser");
  const redirect = fileURLToPath(readFileSync(join(cwd, "opened"), "utf8"));
  expect([statSync(redirect), statSync(dirname(redirect))].map(({ mode }) => mode & 0o777)).toEqual([
    0o600, 0o700,
  ]);
  const [, token] = /#token=([\w-]+)"/.exec(readFileSync(redirect, "utf8"))!;
  expect(withBrowser()).not.toContain(token);
  const { page } = await openPage({ fresh: true });
  await page.goto(pathToFileURL(redirect).href);
  await page.getByRole("link", { name: /greet/ }).waitFor();
  expect(page.url()).not.toContain(token);
  expect(existsSync(dirname(redirect))).toBe(false);
  const again = await fetch(new URL("/api/session", page.url()), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(again.status).toBe(401);
  const without = await start(join(cwd, "nothing"));
  await expect.poll(without, { timeout: 20_000 }).toContain("No browser was found: open the address.");
});

function execute(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) =>
    execFile(command, args, { cwd, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve(`${error?.message ?? ""}${stdout}${stderr}`),
    ),
  );
}
