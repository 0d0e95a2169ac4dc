import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { MCIClient } from "mci-ts";
import { expect, it } from "vitest";
import { clientValidator } from "./client-validator.ts";
import { startCouncil } from "./harness.ts";

// What a client, and the model behind it, gets to see of the tools.

async function connect(): Promise<Client> {
  const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
  const client = new Client({ name: "test", version: "1" }, { jsonSchemaValidator: clientValidator });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}

it("the list of tools is short, and every provider accepts its inputs as they are [P-list]", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  await client.close();
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(12_000);
  for (const { name, inputSchema } of tools) {
    expect(inputSchema, name).toMatchObject({ type: "object", properties: expect.anything() });
    expect(JSON.stringify(inputSchema), name).not.toContain("$ref");
  }
  const { properties } = tools.find(({ name }) => name === "query")!.inputSchema;
  expect(Object.keys(properties!)).toEqual(["prompt", "context", "intent", "config"]);
  expect(JSON.stringify(properties)).toContain("max_usd");
  const execution = { type: "text", text: "" };
  const file = {
    schemaVersion: "1.0",
    tools: tools.map(({ name, inputSchema }) => ({ name, inputSchema, execution })),
  };
  await using mci = await MCIClient.fromObject(file as never);
  const lost: unknown[] = [];
  const definitions = mci.toolDefinitions({ onWarning: (warning) => lost.push(warning) });
  expect(lost).toEqual([]);
  for (const { name, inputSchema } of definitions)
    expect(inputSchema, name).toEqual(tools.find((tool) => tool.name === name)!.inputSchema);
});

it("every tool takes the prompt as prompt, and by its other names [P-prompt]", async () => {
  const client = await connect();
  for (const [name, input] of [
    ["query", { query: "Tabs or spaces?" }],
    ["query", { prompt: "Tabs or spaces?" }],
    ["solve_with_voting", { query: "Tabs or spaces?" }],
    ["solve_with_voting", { prompt: "Tabs or spaces?", k: 1, context: null }],
    ["consult_council", { query: "Tabs or spaces?", num_voters: 1 }],
    ["decompose_task", { task: "Indent everything" }],
    ["decompose_task", { prompt: "Indent everything" }],
  ] as const) {
    const { isError, content } = await client.callTool({ name, arguments: input });
    expect(isError ?? false, `${name} ${JSON.stringify(content)}`).toBe(false);
  }
  const both = { name: "query", arguments: { prompt: "Tabs?", query: "Spaces?" } };
  const refused = await client.callTool(both).catch((error: Error) => error.message);
  expect(JSON.stringify(refused)).toContain("query is not a field");
  await client.close();
});
