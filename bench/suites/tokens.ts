import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { MCIClient } from "../../packages/mci/src/client.ts";
import { codeTool } from "../../packages/mci/src/code/index.ts";
import { importOpenApi } from "../../packages/mci/src/openapi/index.ts";
import { searchTool } from "../../packages/mci/src/search/index.ts";
import { githubDocument } from "../search/corpus.ts";
import type { Suite, Table } from "../suite.ts";

export const suite: Suite = {
  title: "What a tool list costs",
  about:
    "Tokens of o200k_base (the tokenizer of current OpenAI models), counted with gpt-tokenizer; other models count differently. No model is asked: the first table counts the definitions that a client sends with every request, the second what a model would have to read and write.",
  run: async () => [await modes(), await chain()],
};

const tokens = (value: unknown) => encode(typeof value === "string" ? value : JSON.stringify(value)).length;
const number = (value: number) => value.toLocaleString("en");

/** GitHub's API in the three modes, and one search in the two that need it. */
async function modes(): Promise<Table> {
  const { toolset } = importOpenApi(readFileSync(githubDocument(), "utf8"));
  const client = await MCIClient.fromObject(toolset, { env: {} });
  const listed = client.toolDefinitions();
  const search = searchTool(client);
  const code = codeTool(client, { writes: "refuse" });
  const query = { query: "close an issue" };
  const rows = [
    ["list", number(listed.length), number(tokens(listed)), "–"],
    [
      "search",
      number(search.toolDefinitions().length),
      number(tokens(search.toolDefinitions())),
      number(tokens((await search.call("search_tools", query)).text)),
    ],
    [
      "code",
      number(code.toolDefinitions().length),
      number(tokens(code.toolDefinitions())),
      number(tokens((await code.call("search_tools", query)).text)),
    ],
  ];
  const characters = JSON.stringify(listed).length / tokens(listed);
  await client.close();
  return {
    title: `GitHub's API, ${listed.length} tools`,
    about: `Characters of the list for one token: ${characters.toFixed(2)}; 'mci list --tokens' divides by 4.`,
    columns: ["mode", "tools a model sees", "tokens of their definitions", "tokens of one search"],
    rows,
  };
}

const ROWS = 500;
const STEPS = 10;

/**
 * Ten calls, each with what the one before returned: a page of rows, and the id of the next. Directly, the model reads
 * every row and writes every call; with code it writes a loop and reads a sum.
 */
async function chain(): Promise<Table> {
  const row = (page: number, index: number) => ({
    id: `row-${page}-${index}`,
    customer: `customer ${(index * 7919) % 1000}`,
    amount: ((index * 104_729 + page * 31) % 10_000) / 100,
    status: index % 3 === 0 ? "open" : "paid",
  });
  const page = (index: number) => ({
    rows: Array.from({ length: ROWS / STEPS }, (_, position) => row(index, position)),
    next: index + 1 < STEPS ? `cursor-${index + 1}` : null,
  });
  const pages = Array.from({ length: STEPS }, (_, index) => page(index));
  const calls = pages.map((_, index) => ({
    name: "list_rows",
    input: index === 0 ? {} : { cursor: `cursor-${index}` },
  }));
  const script = `let cursor: string | null = null;
let sum = 0;
do {
  const { rows, next } = await tools.list_rows(cursor === null ? {} : { cursor });
  for (const { status, amount } of rows) if (status === "open") sum += amount;
  cursor = next;
} while (cursor !== null);
return sum.toFixed(2);`;
  const client = await MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      tools: [
        {
          name: "list_rows",
          annotations: { readOnlyHint: true },
          inputSchema: { type: "object", properties: { cursor: { type: "string" } } },
          outputSchema: { type: "object" },
          execution: { type: "text", text: "{{env.PAGES}}" },
        },
      ],
    },
    { env: { PAGES: "x" } },
  );
  // The pages come from memory, so that the script really runs and its output is what is counted.
  const paged = Object.assign(Object.create(client), {
    tool: (name: string) => client.tool(name),
    toolDefinitions: () => client.toolDefinitions(),
    search: client.search.bind(client),
    preview: client.preview.bind(client),
    call: async (_: string, input: { cursor?: string }) => ({
      isError: false,
      metadata: {},
      content: [],
      text: "",
      structuredContent: pages[Number(input.cursor?.split("-")[1] ?? 0)],
    }),
  }) as MCIClient;
  const { text } = await codeTool(paged, { writes: "refuse" }).call("run_code", { code: script });
  await client.close();
  const direct = {
    written: calls.reduce((sum, call) => sum + tokens(call), 0),
    read: pages.reduce((sum, one) => sum + tokens(one), 0),
  };
  const code = { written: tokens({ name: "run_code", input: { code: script } }), read: tokens(text) };
  const line = (name: string, each: typeof direct) => [
    name,
    number(each.written),
    number(each.read),
    number(each.written + each.read),
  ];
  return {
    title: `Ten dependent calls over ${ROWS} rows: the sum of the open amounts`,
    about: `The code returned ${text}.`,
    columns: ["", "tokens written", "tokens read", "both"],
    rows: [
      line("direct", direct),
      line("code", code),
      ["ratio", "", "", `${((direct.written + direct.read) / (code.written + code.read)).toFixed(0)} x`],
    ],
  };
}
