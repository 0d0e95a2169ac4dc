import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { makeRepository } from "../../../examples/cli-tool/repository.ts";
import { ConfigError } from "../src/config/config.ts";
import { openEndpoint } from "./dialects/provider.ts";
import { post, readEvents, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const REPOSITORY = makeRepository();
afterAll(() => rmSync(REPOSITORY, { recursive: true, force: true }));
const MCI_TOOLS = fileURLToPath(
  new URL("../../../examples/council-repository/tools.mci.json", import.meta.url),
);
const body = { prompt: "What is the plan?", intent: "validation", config: { k: 3 } };
/** Asks for one search, then answers with what the behaviour says. */
const searching = (tool = "grep", input: Record<string, unknown> = { text: "Version" }) => ({
  behaviour: { truth: "Better plan" },
  rules: [{ tools: true, without: "result of", reply: { kind: "tool_call" as const, tool, input } }],
});

describe("MCI_TOOLS [T-service]", () => {
  it("a council reads a repository before it judges; each search is made once and recorded", async () => {
    const { url } = await startCouncil(searching(), { MCI_TOOLS, REPOSITORY });
    const { metadata } = await readJson(post(`${url}/mcp/model`, { ...body, intent: "decision" }));
    expect(metadata.tools).toMatchObject([{ tool: "grep", requested: 3, is_error: false }]);
    expect(metadata.usage.calls).toBe(7);
    const events = await readEvents(await fetch(`${url}/runs/${metadata.request_id}/events`));
    const finished = events.filter(({ event }) => event === "tool.finished");
    expect(finished.length).toBe(1);
    expect(JSON.parse(finished[0]!.data)).toMatchObject({
      tool: "grep",
      result: expect.stringContaining("plan.md:1:Version 2"),
    });
  });

  it("a tool that is not read-only is never offered, and not called when a model asks for it", async () => {
    const asked = await startCouncil(searching("commit", { message: "x" }), { MCI_TOOLS, REPOSITORY });
    const { metadata } = await readJson(post(`${asked.url}/mcp/model`, body));
    expect([metadata.answer, metadata.tools]).toEqual(["Better plan", []]);
    const allowed = await startCouncil(searching("commit", { message: "x" }), {
      MCI_TOOLS,
      REPOSITORY,
      MCI_TOOLS_ALLOW: "commit",
    });
    const second = await readJson(post(`${allowed.url}/mcp/model`, body));
    expect(second.metadata.tools).toMatchObject([{ tool: "commit" }]);
  });

  it("MCI_TOOLS_FILTER leaves out the others; MCI_CONSOLE_TOOLS offers seats nothing", async () => {
    for (const [MCI_TOOLS_FILTER, searched] of [
      ["read_file", 0],
      ["except:grep", 0],
      ["toolsets:elsewhere", 0],
      ["only:grep,read_file except:read_file", 1],
    ] as const) {
      const { url } = await startCouncil(searching(), { MCI_TOOLS, REPOSITORY, MCI_TOOLS_FILTER });
      const { tools = [] } = (await readJson(post(`${url}/mcp/model`, body))).metadata;
      expect(tools.length, MCI_TOOLS_FILTER).toBe(searched);
    }
    const shown = await startCouncil(searching(), { MCI_CONSOLE_TOOLS: MCI_TOOLS, REPOSITORY });
    const { metadata } = await readJson(post(`${shown.url}/mcp/model`, body));
    expect([metadata.answer, metadata.tools]).toEqual(["Better plan", undefined]);
  });

  it("a file that cannot be loaded ends the start, also with the simulated model", async () => {
    const notTools = fileURLToPath(new URL("../package.json", import.meta.url));
    for (const MCI_TOOLS of ["/nowhere/tools.mci.json", notTools]) {
      await expect(startCouncil({}, { MCI_TOOLS })).rejects.toThrow(/MCI_TOOLS could not be loaded: .*\w/);
      await expect(startService({ MCI_TOOLS })).rejects.toThrow(ConfigError);
    }
  });

  it("a model without tool support gets none, and a warning", async () => {
    const { url } = await startCouncil({ ...searching(), tools: false }, { MCI_TOOLS, REPOSITORY });
    const { metadata } = await readJson(post(`${url}/mcp/model`, body));
    expect([metadata.answer, metadata.tools]).toEqual(["Better plan", []]);
    expect(metadata.warnings).toEqual(["sim takes no tools, so it was offered none."]);
  });
});

it.each(["openai", "anthropic", "google", "mistral", "ollama"] as const)(
  "[T-dialects] tool calls in the dialect of %s",
  async (dialect) => {
    const { provider, run } = await openEndpoint(dialect, searching());
    let calls = 0;
    const result = await run(
      { prompt: "What is the plan?", intent: "validation", config: { k: 2 } },
      {
        tools: {
          definitions: [
            {
              name: "grep",
              description: "Searches",
              inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
            },
          ],
          async call(_, input) {
            calls++;
            return { text: `found ${JSON.stringify(input)}`, isError: false };
          },
        },
      },
    );
    await provider.close();
    expect(result.metadata).toMatchObject({
      answer: "Better plan",
      warnings: [],
      tools: [{ tool: "grep", input: { text: "Version" }, requested: 2 }],
    });
    expect(calls).toBe(1);
  },
);
