import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MCIClient, type OnInput } from "mci-ts";
import { codeTool } from "mci-ts/code";
import { expect, onTestFinished, test } from "vitest";

/* What functions of the application throw may hold anything: a model and an MCP server get a fixed text. */

const SECRET = "s3cr3t-of-the-application";
const fail = () => {
  throw new Error(SECRET);
};
const never = () => new Promise<never>(() => {});

async function open(...tools: object[]) {
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools });
  onTestFinished(() => client.close());
  return client;
}

const text = (name: string, more: object = {}) => ({
  name,
  ...more,
  execution: { type: "text", text: "ran" },
});

test("an approval that never comes ends with the call, and the tool does not run [A-approve]", async () => {
  const client = await open(text("t"), text("asked", { approve: true }));
  for (const [name, options] of [
    ["t", { approve: never }],
    ["asked", { onInput: never }],
  ] as const) {
    const controller = new AbortController();
    const call = client.call(name, {}, { ...options, signal: controller.signal });
    controller.abort();
    expect((await call).metadata["error_code"]).toBe("aborted");
  }
});

test("a person who is asked by a function that throws, or gives what throws when it is read, has not approved [A-approve]", async () => {
  const client = await open(text("asked", { approve: true }));
  const unreadable = { action: "accept", content: Object.defineProperty({}, "approve", { get: fail }) };
  for (const onInput of [fail, () => unreadable] as unknown as OnInput[]) {
    const result = await client.call("asked", {}, { onInput });
    expect(result.text).toBe("The call was not approved, and the tool was not run: the approval failed");
  }
});

test("a plan whose approval throws, or never comes, is not executed, and the model reads no more than that [S-plan-approve]", async () => {
  const plans = mkdtempSync(join(tmpdir(), "mci-plans-"));
  onTestFinished(() => rmSync(plans, { recursive: true, force: true }));
  const client = await open(text("write"));
  const texts: string[] = [];
  for (const approvePlan of [fail, () => Promise.reject(new Error(SECRET)), never]) {
    const tool = codeTool(client, { plans, approvePlan });
    const planned = await tool.call("run_code", { code: "await tools.write({})" });
    const controller = new AbortController();
    if (approvePlan === never) setTimeout(() => controller.abort(), 20);
    const input = { plan_id: planned.metadata["plan_id"] };
    texts.push((await tool.call("commit_plan", input, { signal: controller.signal })).text);
  }
  const refused = "The plan was not approved, and nothing was changed";
  expect(texts).toEqual([
    `${refused}: the approval failed`,
    `${refused}: the approval failed`,
    `${refused}: the commit was cancelled`,
  ]);
});

test("a function that is told of progress or of requests fails the call with its name only [A-call]", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end("[1]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = await open({ name: "get", execution: { type: "http", url, pagination: { next: "link" } } });
  for (const name of ["onProgress", "onExchange"]) {
    const result = await client.call("get", {}, { [name]: fail });
    expect(result.text).toBe(`The function ${name} of the application failed.`);
  }
});

test("an MCP server that asks a question is not told why it was not answered, and the model neither [A-approve]", async () => {
  const server = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const RESULTS = {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
      "tools/list": { tools: [{ name: "ask", inputSchema: { type: "object" } }] },
    };
    let call;
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "tools/call") {
        call = id;
        send({ id: "q", method: "elicitation/create", params: { message: "Name?", requestedSchema: { type: "object", properties: {} } } });
      } else if (id === "q") send({ id: call, result: { content: [{ type: "text", text: line }] } });
      else if (id !== undefined) send(RESULTS[method] ? { id, result: RESULTS[method] } : { id, error: { code: -32601, message: "no" } });
    });`;
  const baseDir = mkdtempSync(join(tmpdir(), "mci-ask-"));
  onTestFinished(() => rmSync(baseDir, { recursive: true, force: true }));
  const document = {
    schemaVersion: "1.0",
    mcp_servers: { web: { command: process.execPath, args: ["-e", server] } },
  };
  const client = await MCIClient.fromObject(document, { baseDir });
  onTestFinished(() => client.close());
  const unreadable = Object.defineProperty({}, "action", { get: fail, enumerable: true });
  for (const onInput of [fail, () => unreadable, () => undefined] as unknown as OnInput[]) {
    const result = await client.call("ask", {}, { onInput });
    expect(result.text).toMatch(
      /the server asks for input \(Name\?\), and was not answered: the question failed$/,
    );
  }
});
