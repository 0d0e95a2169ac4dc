import { afterAll, beforeAll, expect, test } from "vitest";
import { MCIClient } from "../client.ts";
import { searchTool } from "./search-tool.ts";

// What plain-language queries find in large imports is measured by bench/search/evaluate.ts.

const input = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names.slice(0, 1),
});
const tool = (name: string, description: string, more: object = {}) => ({
  name,
  description,
  execution: { type: "text", text: `${name} {{props}}` },
  ...more,
});
const READ = { annotations: { readOnlyHint: true } };

let client: MCIClient;
beforeAll(async () => {
  client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      tool("createIssue", "Create an issue.", { inputSchema: input("title", "repository") }),
      tool("updateIssue", "Update an issue, or set its state.", { inputSchema: input("issue_number") }),
      tool("listIssues", "List the issues of a repository.", READ),
      tool("delete_branch", "Deletes a branch.", { annotations: { destructiveHint: true } }),
      tool("branches.list", "Lists branches.", READ),
      tool("chat_postMessage", "Sends a message to a channel.", {
        tags: ["slack"],
        inputSchema: input("channel"),
      }),
      tool("conversations_history", "Fetches a conversation's history of messages.", READ),
      tool("pins_remove", "Un-pins an item from a channel."),
      tool("users_info", "Gets information about a user.", { ...READ, inputSchema: input("user") }),
      tool("loginUser", "Logs user into the system."),
      tool("getInvoicePDF", "Renders a document.", { ...READ, inputSchema: input("invoice_id") }),
    ],
  });
});
afterAll(() => client.close());

test.each([
  ["open a new issue", "createIssue"],
  ["close an issue", "updateIssue"],
  ["which issues are there", "listIssues"],
  ["remove a branch", "delete_branch"],
  ["show all branches", "branches.list"],
  ["tell the team in slack", "chat_postMessage"],
  ["read the recent messages of a channel", "conversations_history"],
  ["unpin a message", "pins_remove"],
  ["who is this person", "users_info"],
  ["log in", "loginUser"],
  ["pdf of an invoice", "getInvoicePDF"],
  ["isue list", "listIssues"],
])("[S-search] %j finds %s first", async (query, wanted) => {
  expect((await client.search(query))[0]?.tool.name).toBe(wanted);
});

test("[S-search] the limit counts after the filter, and what fits nothing finds nothing", async () => {
  const all = await client.search("issue");
  expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
  const [first] = await client.search("issue", { limit: 1, filter: { without: [all[0]!.tool.name] } });
  expect(first?.tool.name).toBe(all[1]!.tool.name);
  expect(await client.search("zzzzz qqqq")).toEqual([]);
  expect(await client.search("")).toEqual([]);
});

test("[S-search] what was found are copies", async () => {
  const [first] = await client.search("close an issue");
  Object.assign(first!.tool, { description: "changed" });
  const [again] = await client.search("close an issue");
  expect(again?.tool.description).toBe("Update an issue, or set its state.");
});

test("[A-arguments] [S-search] a wrong argument is named", async () => {
  await expect(client.search(7 as never)).rejects.toThrow("query must be a string");
  await expect(client.search("x", { limit: 0 })).rejects.toThrow(
    "options.limit must be a whole number above 0",
  );
});

test("[S-embed] vectors are asked for once, and blended by rank", async () => {
  const batches: number[] = [];
  const embed = async (texts: readonly string[]) => {
    batches.push(texts.length);
    return texts.map((text) => (/invoice|bill/i.test(text) ? [1, 0] : [0, 1]));
  };
  expect((await client.search("bill"))[0]?.tool.name).not.toBe("getInvoicePDF");
  expect((await client.search("bill", { embed }))[0]?.tool.name).toBe("getInvoicePDF");
  await client.search("an issue", { embed });
  expect(batches).toEqual([11, 1, 1]);
  await expect(client.search("x", { embed: async () => [] })).rejects.toThrow("one vector for each text");
});

test("[S-search-mode] a model finds a tool, calls it, and learns what its input must be", async () => {
  const few = searchTool(client, { pin: ["users_info"], filter: { without: ["delete_branch"] } });
  expect(few.toolDefinitions().map(({ name }) => name)).toEqual(["search_tools", "call_tool", "users_info"]);
  const found = await few.call("search_tools", { query: "open a new issue", limit: 1 });
  expect(JSON.parse(found.text)).toMatchObject({ name: "createIssue", inputSchema: { required: ["title"] } });
  const called = await few.call("call_tool", { name: "createIssue", input: { title: "x" } });
  expect(called.text).toBe('createIssue {"title":"x"}');
  const refused = await few.call("call_tool", { name: "createIssue", input: { repository: "r" } });
  expect(refused.isError).toBe(true);
  expect(refused.content.at(-1)).toEqual({
    type: "text",
    text: 'What the schema says about it: {"properties":{"title":{"type":"string"}},"required":["title"]}',
  });
  expect((await few.call("users_info", { user: "ada" })).text).toBe('users_info {"user":"ada"}');
});

test("[S-search-mode] a filter hides a tool from the search and from calls", async () => {
  const few = searchTool(client, { filter: { without: ["delete_branch"] } });
  expect((await few.call("search_tools", { query: "delete a branch" })).text).not.toContain("delete_branch");
  expect((await few.call("call_tool", { name: "delete_branch" })).metadata["error_code"]).toBe(
    "tool_not_found",
  );
  // Only what is listed can be called directly.
  expect((await few.call("users_info", { user: "ada" })).metadata["error_code"]).toBe("tool_not_found");
  expect((await few.call("search_tools", {})).text).toContain("query: is required and missing");
  expect(() => searchTool(client, { pin: ["delete_branches"] })).toThrow("Did you mean 'delete_branch'?");
});
