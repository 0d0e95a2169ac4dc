import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import {
  callTool,
  LAYOUT_RULES,
  openPage,
  overflowsSideways,
  picture,
  violations,
} from "./support/browser.ts";
import { startSite, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

/**
 * An MCP server that asks twice before it answers: a form with hostile texts, then a page. Before 2026 by requests of its own, since then by
 * its responses, with its state. As servers do, it asks only clients that say that they can be asked.
 */
const ASKING_SERVER = `
  import { createInterface } from "node:readline";
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const evil = "</p><img src=x onerror=window.hacked=1>";
  const form = {
    message: "Which size? " + evil + " \\u202elaever",
    requestedSchema: {
      type: "object",
      properties: JSON.parse('{"size":{"type":"string","enum":["small","large"]},"count":{"type":"integer","minimum":1,"title":"' + evil.replaceAll('"', "") + '"},"__proto__":{"type":"string"},"constructor":{"type":"boolean"}}'),
      required: ["size", "count"],
    },
  };
  const [address, revision] = process.argv.slice(2);
  const isNew = revision === "2026-07-28";
  const page = { mode: "url", message: "Pay, please", url: address, elicitationId: "pay-1" };
  let asked = 0;
  let canAsk = false;
  const waiting = new Map();
  const elicit = (params) => new Promise((resolve) => {
    if (!canAsk) return resolve({ action: "no one can be asked" });
    const id = "ask-" + ++asked;
    waiting.set(id, resolve);
    send({ id, method: "elicitation/create", params });
  });
  const complete = (rest) => ({ resultType: "complete", ttlMs: 0, cacheScope: "private", ...rest });
  const text = (answers) => ({ content: [{ type: "text", text: "answers: " + JSON.stringify(answers) }] });
  const about = { capabilities: { tools: {} }, serverInfo: { name: "shop", version: "1" } };
  const ask = (name, params, requestState) =>
    ({ resultType: "input_required", inputRequests: { [name]: { method: "elicitation/create", params: { mode: "form", ...params } } }, requestState });
  const nextRound = ({ inputResponses = {}, requestState, _meta }) => {
    if (!_meta["io.modelcontextprotocol/clientCapabilities"].elicitation) return complete(text(["no one can be asked"]));
    if (inputResponses.form?.action === "accept") return ask("page", page, "after " + JSON.stringify(inputResponses.form));
    if (inputResponses.form) return complete(text([inputResponses.form, { action: "never asked" }]));
    if (inputResponses.page) return complete(text([JSON.parse(requestState.slice(6)), inputResponses.page]));
    return ask("form", form, "start");
  };
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const { id, method, params, result } = JSON.parse(line);
    if (waiting.has(id)) return waiting.get(id)(result);
    if (method === "initialize" && !isNew) {
      canAsk = params.capabilities.elicitation !== undefined;
      send({ id, result: { protocolVersion: revision, ...about } });
    } else if (method === "server/discover" && isNew) send({ id, result: complete({ supportedVersions: [revision], ...about }) });
    else if (method === "tools/list") send({ id, result: complete({ tools: [{ name: "order", inputSchema: { type: "object" } }] }) });
    else if (method === "tools/call" && isNew) send({ id, result: nextRound(params) });
    else if (method === "tools/call") {
      const first = await elicit(form);
      const second = first.action === "accept" ? await elicit(page) : { action: "never asked" };
      send({ id, result: text([first, second]) });
    } else if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
  });`;

test.each(["2025-11-25", "2026-07-28"])(
  "what a server of %s asks while a tool runs is asked in the page: a form, a page to visit, several rounds, declined and cancelled [UI-input]",
  async (revision) => {
    const visits: string[] = [];
    const site = await startSite((request, response) => {
      visits.push(request.url!);
      response.setHeader("content-type", "text/html").end("<title>Paid</title>");
    });
    const cwd = folder({
      "server.mjs": ASKING_SERVER,
      "mci.json": {
        schemaVersion: "1.0",
        mcp_servers: { shop: { command: process.execPath, args: ["server.mjs", `${site}/pay`, revision] } },
        tools: [
          {
            name: "guarded",
            approve: true,
            inputSchema: { type: "object", properties: { what: { type: "string" } } },
            execution: { type: "text", text: "Did {{props.what}}" },
          },
        ],
      },
    });
    const ui = await startUi(cwd);
    const { page } = await openPage({ fresh: true, viewport: { width: 1100, height: 820 } });
    const popups: string[] = [];
    page.on("popup", (popup) => popups.push(popup.url()));
    await page.goto(ui.address());
    await page.goto(`${ui.origin}/#/tools/order`);
    const question = page.getByRole("region", { name: "The call waits for you" });
    await page.getByRole("button", { name: "Preview" }).waitFor();
    await callTool(page);
    await question.getByText("The MCP server shop asks.").waitFor();
    await question.getByText("<img src=x onerror=window.hacked=1>").first().waitFor();
    expect(await question.locator("mark").allInnerTexts()).toEqual(["U+202E"]);
    await question.getByRole("button", { name: "Send the answer" }).click();
    await question.getByText("Not sent: 2 fields are missing or wrong.").waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "input-light");
    await question.getByLabel(/^size/).selectOption("large");
    await question.locator("input[type=number]").fill("2");
    await question.getByRole("button", { name: "Send the answer" }).click();

    // The page is named by its host, and opened by a click, never by itself.
    await question.getByText("Pay, please").waitFor();
    expect(await question.locator(".fact").first().innerText()).toContain(new URL(site).host);
    await question.getByText(`${site}/pay`).waitFor();
    const goOn = question.getByRole("button", { name: "I have done it: go on" });
    expect(await goOn.isDisabled()).toBe(true);
    expect([visits, popups]).toEqual([[], []]);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, LAYOUT_RULES)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1100, height: 820 });
    await question.getByRole("link", { name: `Open ${new URL(site).host} in a new tab` }).click();
    await expect.poll(() => visits).toContain("/pay");
    await goOn.click();
    const result = page.getByRole("region", { name: "Result" });
    await result
      .getByText('answers: [{"action":"accept","content":{"size":"large","count":2}},{"action":"accept"}]')
      .waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();

    await callTool(page);
    await question.getByRole("button", { name: "Decline" }).click();
    await result.getByText('[{"action":"decline"},{"action":"never asked"}]').waitFor();
    await callTool(page);
    await question.waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("The call was cancelled.").waitFor();
    expect(await question.count()).toBe(0);

    // The file itself wants a person to approve, with the exact arguments.
    await page.goto(`${ui.origin}/#/tools/guarded`);
    await page.getByLabel("what").fill("this");
    await callTool(page);
    await question.getByText(/"what": ?"this"/).waitFor();
    await question.getByRole("button", { name: "Decline" }).click();
    await page.getByText("The call was not approved").first().waitFor();
    await callTool(page);
    await question.getByRole("button", { name: "Approve this call" }).click();
    await result.getByText("Did this").waitFor();

    const token = await page.evaluate<string>("sessionStorage.getItem('mci-console-token')");
    const answer = (body: object) =>
      fetch(`${ui.origin}/api/inputs/some-id`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    expect((await answer({ action: "accept" })).status).toBe(404);
    expect((await answer({ action: "run" })).status).toBe(400);
    expect((await answer({ action: "accept", content: [] })).status).toBe(400);
  },
);

test("a call that was agreed to is sent only as it was shown [UI-input]", async () => {
  const sent: string[] = [];
  const site = await startSite((request, response) => {
    sent.push(request.url!);
    response.end("{}");
  });
  const file = (path: string) => ({
    schemaVersion: "1.0",
    tools: [
      {
        name: "erase",
        description: path,
        annotations: { destructiveHint: true },
        execution: { type: "http", method: "DELETE", url: `${site}/${path}` },
      },
    ],
  });
  const cwd = folder({ "mci.json": file("drafts") });
  const ui = await startUi(cwd);
  const { page } = await openPage({ allowedErrors: /409/ });
  await page.goto(ui.address());
  await page.getByRole("link", { name: /erase/ }).click();
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("dialog").getByText(`DELETE ${site}/drafts`).waitFor();
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file("everything")));
  await page.getByText("everything").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Send it" }).click();
  await page.getByText("The service refused: request_changed").waitFor();
  expect(sent).toEqual([]);
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("dialog").getByText(`DELETE ${site}/everything`).waitFor();
  await page.getByRole("button", { name: "Send it" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  expect(sent).toEqual(["/everything"]);
});
