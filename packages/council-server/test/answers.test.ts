import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { post, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const answer_schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    population: { type: "integer", minimum: 3 },
    why: { type: "string", "x-vote": false },
  },
  required: ["city", "population", "why"],
  additionalProperties: false,
};
const prompt = "What is the capital of France?";
const PARIS = { city: "Paris", population: 3, why: "Paris" };

describe("config.answer_schema [A-objects]", () => {
  it.each(["validation", "decision"])("POST /mcp/model answers with an object: %s", async (intent) => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Paris" } });
    const response = await post(`${url}/mcp/model`, { prompt, intent, config: { answer_schema } });
    const { metadata } = await readJson(response);
    expect([response.status, metadata.answer]).toEqual([200, PARIS]);
    expect(metadata.voting.votes).toEqual({ '{"city":"Paris","population":3}': 3 });
    expect(sim.stats.arrivals).toBe(intent === "validation" ? 3 : 4);
  });

  it("MCP takes it as an argument and returns it as structured content", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Paris" } });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const call = await client.callTool({
      name: "solve_with_voting",
      arguments: { query: prompt, answer_schema },
    });
    expect(call.structuredContent).toMatchObject({ metadata: { answer: PARIS } });
    await client.close();
  });

  it("is rejected before any call where it cannot be used, with its place", async () => {
    const { url, sim } = await startCouncil();
    const hostile = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+\\1$" } } };
    const response = await post(`${url}/mcp/model`, { prompt, config: { answer_schema: hostile } });
    const { error } = await readJson(response);
    expect([response.status, error.details[0].path]).toEqual([400, "config.answer_schema"]);
    expect(error.message).toContain("cannot be checked");
    expect(sim.stats.arrivals).toBe(0);
  });

  it("is filled with placeholders by the simulated model [S-placeholders]", async () => {
    const { url } = await startService();
    const { compileAnswerSchema } = await import("@mci-ts/council");
    const { zod } = compileAnswerSchema(answer_schema);
    for (const intent of ["validation", "decision"]) {
      const response = await post(`${url}/mcp/model`, { prompt, intent, config: { answer_schema } });
      const { metadata } = await readJson(response);
      expect([response.status, metadata.model]).toEqual([200, "simulated"]);
      expect(zod.safeParse(metadata.answer).error).toBeUndefined();
    }
  });
});
