import { expect, test } from "vitest";
import { mciHere } from "../in-process.ts";
import { folder } from "../mci.ts";
import { file, text } from "./file.ts";
import { connect } from "./support.ts";

const tools = Array.from({ length: 60 }, (_, index) =>
  text(`thing_${index}`, "x", { description: `Shows thing number ${index}. ${"Long words. ".repeat(60)}` }),
);
const wanted = text("close_issue", "closed {{props.number}}", {
  description: "Closes an issue of the tracker",
  inputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
});

test("[RUN-mode-search] clients see two tools and those that are pinned, and reach all of them", async () => {
  const cwd = folder({ "mci.json": file(wanted, ...tools) });
  const { client, stderr } = await connect("http", "modern", {
    cwd,
    args: ["--mode", "search", "--pin", "thing_1"],
  });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    "search_tools",
    "call_tool",
    "thing_1",
  ]);
  const found = await client.callTool({
    name: "search_tools",
    arguments: { query: "close an issue", limit: 1 },
  });
  expect(JSON.parse((found.content[0] as { text: string }).text)).toMatchObject({ name: "close_issue" });
  const called = await client.callTool({
    name: "call_tool",
    arguments: { name: "close_issue", input: { number: 7 } },
  });
  expect(called.content).toEqual([{ type: "text", text: "closed 7" }]);
  const refused = await client.callTool({ name: "call_tool", arguments: { name: "close_issue", input: {} } });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain("What the schema says about it");
  expect(stderr()).toContain("Serving 61 tools");
  expect(stderr()).not.toContain("tokens");
});

test("[RUN-token-hint] a list that costs many tokens is pointed out", async () => {
  const cwd = folder({ "mci.json": file(wanted, ...tools) });
  const { client, stderr } = await connect("http", "modern", { cwd });
  expect((await client.listTools()).tools).toHaveLength(61);
  expect(stderr()).toMatch(/about [\d,]+ tokens\. With --mode search/);
});

test("[RUN-mode-search] what cannot be pinned is an error before anything is served", async () => {
  const cwd = folder({ "mci.json": file(wanted) });
  const unknown = await mciHere(["run", "--mode", "search", "--pin", "close_isue"], { cwd });
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("Did you mean 'close_issue'?");
  const withoutMode = await mciHere(["run", "--pin", "close_issue"], { cwd });
  expect(withoutMode.code).toBe(2);
});

test("[RUN-mode-code] code reads at once, plans its writes, and a person at the client approves the whole plan", async () => {
  const read = text("count", "7", { annotations: { readOnlyHint: true } });
  const cwd = folder({ "mci.json": file(wanted, read) });
  const shown: string[] = [];
  let answer = false;
  const { client } = await connect(
    "http",
    "modern",
    { cwd, args: ["--mode", "code"] },
    {
      capabilities: { elicitation: { form: {} } },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    shown.push(params.message);
    return { action: "accept", content: { approve: answer } };
  });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    "search_tools",
    "run_code",
    "commit_plan",
  ]);
  const code =
    "const n = await tools.count({}); for (let i = 0; i < 2; i++) await tools.close_issue({ number: i }); return n";
  const ran = await client.callTool({ name: "run_code", arguments: { code } });
  const { text: output } = ran.content[0] as { text: string };
  expect(output).toMatch(/^"7"\n\nPlan plan-\w+: 2 x close_issue\. Nothing was changed yet\./);
  const plan_id = /plan-\w+/.exec(output)![0];
  const refused = await client.callTool({ name: "commit_plan", arguments: { plan_id } });
  expect(JSON.stringify(refused.content)).toContain("the person at the client said no");
  answer = true;
  const committed = await client.callTool({ name: "commit_plan", arguments: { plan_id } });
  expect(JSON.stringify(committed.content)).toContain("All 2 writes are done.");
  expect(shown).toEqual([
    expect.stringContaining("2 x close_issue"),
    expect.stringContaining("2 x close_issue"),
  ]);
  const unknown = await client.callTool({ name: "commit_plan", arguments: { plan_id: "plan-x" } });
  expect(unknown.isError).toBe(true);
});
