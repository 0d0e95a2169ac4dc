import { STRATEGIES } from "@mci-ts/council";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { program } from "../../../test/programs/programs.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { clientValidator } from "./client-validator.ts";
import { eventually } from "./eventually.ts";
import { startCouncil } from "./harness.ts";

const main = program("packages/council-server", "main.js");

type Era = "modern" | "legacy";

function newClient(era: Era): Client {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const options = { versionNegotiation: { mode }, jsonSchemaValidator: clientValidator };
  return new Client({ name: "test", version: "1" }, options);
}

async function checkTools(client: Client): Promise<void> {
  // The tools are fixed, so no change is ever announced.
  expect(client.getServerCapabilities()?.tools?.listChanged ?? false).toBe(false);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "query",
    ...STRATEGIES.map(({ tool }) => tool),
    "start_task",
    "get_task",
  ]);
  const calls = [
    ["query", { prompt: "Use tabs or spaces?" }, "solve_with_voting", "# First-to-ahead-by-3 Voting Result"],
    [
      "consult_council",
      { query: "How to indent?", num_voters: 2 },
      "consult_council",
      "# MAKER-Council Report",
    ],
    [
      "solve_with_voting",
      { query: "Tabs or spaces?", k: 2 },
      "solve_with_voting",
      "# First-to-ahead-by-2 Voting Result",
    ],
    ["decompose_task", { task: "Indent everything" }, "decompose_task", '"total_steps": 3'],
  ] as const;
  for (const [name, args, tool, text] of calls) {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError ?? false, name).toBe(false);
    expect(result.content).toMatchObject([{ type: "text", text: expect.stringContaining(text) }]);
    expect(result.structuredContent).toMatchObject({ metadata: { tool_used: tool, model: "sim" } });
  }
}

describe.each<Era>(["modern", "legacy"])("the official MCP client, %s protocol", (era) => {
  it("uses the tools over HTTP [P-http]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = newClient(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    await checkTools(client);
    await client.close();
  });

  it("uses the tools over stdio [P-http]", async () => {
    const sim = await startFakeProvider({ behaviour: { truth: "Tabs" } });
    const client = newClient(era);
    const env = { ...process.env, MAKER_API_URL: sim.url, MAKER_API_MODEL: "sim" } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [main, "--stdio"], env, stderr: "ignore" }),
    );
    await checkTools(client);
    await client.close();
    await sim.close();
  });

  it("sees progress, errors and bad input", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = newClient(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const progress: string[] = [];
    const vote = { name: "solve_with_voting", arguments: { query: "Tabs or spaces?" } };
    await client.callTool(vote, { onprogress: ({ message }) => progress.push(message ?? "") });
    expect(progress).toContain('Decided: "Tabs" with 3 votes');
    sim.script({ rules: [{ reply: { kind: "status", status: 401 } }] });
    const failed = await client.callTool(vote);
    expect(failed).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("all_calls_failed") }],
    });
    sim.script({});
    for (const [wrong, said] of [
      [{ k: 99 }, 'k must be a whole number from 1 to 25 or "auto"; it is 99'],
      [{ max_calls: 3 }, "max_calls is not a field"],
      [{ query: " " }, "prompt must not be empty"],
      [
        { config: { max_call: 3 } },
        "config.max_call is not a field (did you mean max_calls?); config takes num_voters",
      ],
    ] as const) {
      const bad = await client
        .callTool({ name: "solve_with_voting", arguments: { query: "Tabs or spaces?", ...wrong } })
        .catch((error: Error) => ({ isError: true, content: error.message }));
      expect(bad.isError, JSON.stringify(wrong)).toBe(true);
      expect(JSON.stringify(bad.content).replaceAll("\\", "")).toContain(said);
    }
    expect(sim.stats.arrivals).toBe(0);
    await client.close();
  });

  it("that cancels a call cancels its model calls [F-hang]", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const client = newClient(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const controller = new AbortController();
    const call = client.callTool(
      { name: "solve_with_voting", arguments: { query: "Tabs or spaces?" } },
      { signal: controller.signal },
    );
    call.catch(() => undefined);
    await eventually(() => sim.stats.in_flight).toBe(3);
    controller.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, aborted: 3 });
    await client.close();
  });
});
