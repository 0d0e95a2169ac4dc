import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { callTool, openPage } from "./support/browser.ts";
import { startRun, startService, startSimulated, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const OFFLINE = /Failed to load resource|ERR_|401|net::/;
const node = (name: string, code: string) => ({
  name,
  execution: { type: "cli", command: process.execPath, args: ["-e", code] },
});
const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** An MCP server whose one tool returns an item of each kind. */
const SERVER_OF_KINDS = `
    import { createInterface } from "node:readline";
    const content = [
      { type: "text", text: "مرحبا بالعالم 🌍 שלום" },
      { type: "image", data: "${PIXEL}", mimeType: "image/png" },
      { type: "audio", data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "embedded text" } },
      { type: "resource_link", uri: "note://2", name: "linked" },
      { type: "resource", resource: { uri: "file:///report.pdf", mimeType: "application/pdf", blob: btoa("%PDF-1.7") } },
      { type: "resource", resource: { uri: "file:///page.pdf", mimeType: "application/pdf", blob: btoa("<script>alert(1)</script>") } },
      { type: "resource", resource: { uri: "file:///sound.wav", mimeType: "audio/wav", blob: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=" } },
      { type: "resource", resource: { uri: "file:///data.json", mimeType: "application/json", blob: btoa('{"from":"bytes"}') } },
      { type: "resource", resource: { uri: "file:///any.bin", mimeType: "application/octet-stream", blob: "AAEC" } },
    ];
    const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "initialize") reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "kinds", version: "1" } });
      else if (method === "tools/list") reply(id, { tools: [{ name: "kinds", description: "كل الأنواع", inputSchema: { type: "object" } }] });
      else if (method === "tools/call") reply(id, { content });
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
    });`;

test("when the service is gone the page says so, and reconnects when it is back [UI-reconnect]", async () => {
  const first = await startSimulated();
  const port = new URL(first.url).port;
  const { page } = await openPage({ allowedErrors: OFFLINE });
  await page.goto(first.url);
  await page.getByLabel("Question or task").fill("What was typed stays");
  await first.close();
  await page.getByText("Offline: the service cannot be reached").waitFor({ timeout: 30_000 });
  expect(await page.getByLabel("Question or task").inputValue()).toBe("What was typed stays");
  await startSimulated({ PORT: port });
  await page.getByText("Offline").waitFor({ state: "detached", timeout: 30_000 });
});

test("a stream that is cut goes on where it was, and no vote is counted twice [UI-reconnect]", async () => {
  const yes = { kind: "answer", answer: "yes" };
  // The vote is still open when the stream is cut, and decided before the page asks again.
  const { url } = await startService({}, {
    rules: [
      { times: 2, reply: yes },
      { reply: yes, delay_ms: 1000 },
    ],
  } as never);
  const proxy = await startProxy(url);
  const { page } = await openPage({ allowedErrors: OFFLINE });
  await page.goto(proxy.url);
  await page.getByLabel("Question or task").fill("Is water wet? Answer yes or no.");
  await page.locator("summary", { hasText: "Options" }).click();
  await page.getByLabel("Method").selectOption({ label: "Vote" });
  await page.getByLabel("Lead to win (k)").fill("6");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText(/leads by/).waitFor();
  proxy.cut();
  await page.getByText(/won: \d+ to \d+/).waitFor({ timeout: 60_000 });
  const shown = await page.getByRole("region", { name: "The vote" }).innerText();
  await page.reload();
  await page.getByText(/won: \d+ to \d+/).waitFor();
  expect(await page.getByRole("region", { name: "The vote" }).innerText()).toBe(shown);
});

test("a call can be cancelled, one that fails says why; content of every kind and script is shown as what it is, ten megabytes in part [UI-content] [UI-large-result]", async () => {
  const cwd = folder({
    "server.mjs": SERVER_OF_KINDS,
    "mci.json": {
      ...file(
        node("hang", "setInterval(() => {}, 1000)"),
        node("fail", "console.error('no such thing'); process.exit(3)"),
        node(
          "big",
          "console.log(JSON.stringify({ items: Array.from({ length: 125000 }, (_, id) => ({ id, text: 'x'.repeat(55) })) }))",
        ),
      ),
      mcp_servers: {
        kinds: { command: process.execPath, args: ["server.mjs"] },
        dead: { command: "no-such-program" },
      },
    },
  });
  const ui = await startUi(cwd);
  const { page } = await openPage();
  const open = (name: string) => page.getByRole("link", { name }).click();
  const call = () => callTool(page);
  await page.goto(ui.address());
  await open("hang");
  await call();
  await page.getByText("Calling…").waitFor();
  // How long it takes so far is seen, and not read out.
  await page.getByText(/^\d+\.\d s$/).waitFor();
  expect(await page.getByRole("status").filter({ hasText: "Calling…" }).ariaSnapshot()).not.toMatch(/\d s/);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The call was cancelled.").waitFor();
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("cancelled", { exact: true }).waitFor();
  await page.goto(`${ui.origin}/#/tools/fail`);
  await call();
  await page.getByRole("heading", { name: /Failed/ }).waitFor();
  await page.getByText("no such thing").first().waitFor();

  await open("kinds");
  await call();
  await page.getByText("مرحبا").waitFor();
  await page.getByAltText("Returned by the tool").waitFor();
  await page.locator("audio").nth(1).waitFor();
  await page.getByText('"bytes"').waitFor();
  const item = (name: string) => page.locator(".result-item", { hasText: name });
  await item("report.pdf").getByText("A PDF document:").waitFor();
  // Opened by the browser's viewer, as a PDF and as nothing else; what only says that it is one is not opened.
  await page.evaluate(`{
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => create((globalThis.blob = blob));
    globalThis.open = (...args) => (globalThis.opened = args);
  }`);
  await item("report.pdf").getByRole("button", { name: "Open in a new tab" }).click();
  const opened = await page.evaluate<[string, string, string, string]>("[...opened, blob.type]");
  expect(opened).toEqual([expect.stringMatching(/^blob:http:/), "_blank", "noopener", "application/pdf"]);
  await item("page.pdf").getByRole("button", { name: "Download" }).waitFor();
  expect(await item("page.pdf").getByRole("button", { name: "Open in a new tab" }).count()).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    item("report.pdf").getByRole("button", { name: "Download" }).click(),
  ]);
  expect([download.suggestedFilename(), readFileSync(await download.path(), "utf8")]).toEqual([
    "report.pdf",
    "%PDF-1.7",
  ]);
  await item("any.bin").getByText("Binary content, to download:").waitFor();
  await page.getByText("embedded text").waitFor();
  await page.getByText("note://2").waitFor();
  expect(await page.getByText("مرحبا").getAttribute("dir")).toBe("auto");
  await page.getByRole("link", { name: "Variables and servers" }).click();
  await page.getByRole("listitem").filter({ hasText: "kinds" }).getByText("1 tool").waitFor();
  await page.getByRole("listitem").filter({ hasText: "dead" }).getByText("failed", { exact: true }).waitFor();

  await page.goto(`${ui.origin}/#/tools/big`);
  await call();
  const result = page.getByRole("region", { name: "Result" });
  await result.waitFor({ timeout: 60_000 });
  await result.getByLabel("Search in this JSON").first().fill("124999");
  // Its place in the list, and its id.
  await result.getByText("2 found").waitFor();
  await result.getByRole("button", { name: "Show as text" }).click();
  await result.getByRole("button", { name: /^Show all [\d,]+ characters$/ }).waitFor();
  expect((await page.locator(".result").innerText()).length).toBeLessThan(300_000);
  const began = Date.now();
  await page.getByPlaceholder("Search tools").fill("big");
  await page.getByRole("link", { name: /big/ }).waitFor();
  expect(Date.now() - began).toBeLessThan(5000);
});

test("mci run --ui shows the calls of MCP clients as they happen, and stores them without values of variables [UI-calls] [UI-calls-stored]", async () => {
  const cwd = folder({
    ".env.mci": "GREETING=s3cret-greeting\n",
    "mci.json": file(
      { name: "greet", execution: { type: "text", text: "{{env.GREETING}} Hello {{props.name}}" } },
      {
        name: "unlock",
        inputSchema: { type: "object", properties: { pin: { type: "string", format: "password" } } },
        execution: { type: "text", text: "Opened" },
      },
    ),
  });
  const run = await startRun(cwd);
  const { page } = await openPage({ allowedErrors: /401|ERR_/ });
  await page.goto(run.address());
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("Calls of connected MCP clients appear here").waitFor();
  const call = async (name: string, input: object) => {
    const response = await fetch(`${run.origin}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: input },
      }),
    });
    return response.text();
  };
  expect(await call("greet", { name: "Ada" })).toContain("Hello Ada");
  await page
    .getByText(/MCP client/)
    .last()
    .waitFor();
  await page.getByText("succeeded").waitFor();
  await call("unlock", { pin: "hunter2" });
  await page.getByText("2 calls", { exact: true }).waitFor();
  const [, stored] = /masked, in (\S+)$/.exec(await page.locator(".storage-line p").innerText())!;
  await run.stop();
  for (const name of readdirSync(dirname(stored!)))
    expect(readFileSync(join(dirname(stored!), name), "latin1")).not.toMatch(/s3cret-greeting|hunter2/);

  // The next command of the same file has them, whichever it is.
  const again = await startUi(cwd);
  await page.goto(again.address());
  await page.getByRole("link", { name: "Calls", exact: true }).click();
  await page.getByText("1 call", { exact: true }).waitFor();
  await page.getByPlaceholder("Search what was sent and received").fill("hello ada");
  await page
    .getByRole("region", { name: "List of calls" })
    .getByRole("link", { name: "greet" })
    .first()
    .click();
  await page.getByRole("region", { name: "Result" }).getByText("*** Hello Ada").waitFor();
});

/** Passes everything on; `cut` ends every connection, as a network does. */
async function startProxy(target: string): Promise<{ url: string; cut(): void }> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, origin: __, connection: ___, "content-length": ____, ...headers } = request.headers;
    try {
      const answer = await fetch(new URL(request.url!, target), {
        method: request.method,
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      const { "content-encoding": _e, "content-length": _l, ...rest } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, rest);
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => server.closeAllConnections(),
  };
}
