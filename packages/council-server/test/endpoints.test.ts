import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { serve } from "../../../test/servers.ts";
import type { ModelResponse } from "../src/api/api-schemas.ts";
import { eventually } from "./eventually.ts";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const PROMPT = "Tabs or spaces?";
const schema = { type: "object", properties: { pick: { type: "string" } }, required: ["pick"] };

type Metadata = ModelResponse["metadata"];
/** Asks for a vote; returns the metadata. */
type Ask = (url: string, config: Record<string, unknown>) => Promise<Metadata>;

const openai = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
const messages = [{ role: "user" as const, content: PROMPT }];

const ENDPOINTS: Record<string, Ask> = {
  "POST /mcp/model": async (url, config) =>
    (await readJson(post(`${url}/mcp/model`, { prompt: PROMPT, intent: "validation", config }))).metadata,
  "POST /v1/chat/completions with the official client": async (url, config) => {
    const body = { model: "vote", messages, config };
    const completion = await openai(url).chat.completions.create(body);
    return (completion as unknown as { council: Metadata }).council;
  },
  "MCP with the official client": async (url, config) => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const call = await client.callTool({ name: "solve_with_voting", arguments: { query: PROMPT, config } });
    await client.close();
    return (call.structuredContent as unknown as ModelResponse).metadata;
  },
};

async function startReceiver(): Promise<{ host: string; received: string[] }> {
  const received: string[] = [];
  const { host } = await serve(async (request, response) => {
    const body = await text(request);
    received.push(JSON.parse(body).data.id);
    response.end();
  });
  return { host, received };
}

describe("config means the same on every endpoint [A-endpoints]", () => {
  it.each(Object.entries(ENDPOINTS))(
    "%s: presets, panels, criteria, schemas, cache, webhooks",
    async (_, ask) => {
      const { host, received } = await startReceiver();
      const { url, sim } = await startCouncil(
        { behaviour: { truth: "Tabs" } },
        { MCI_WEBHOOK_HOSTS: host, MCI_WEBHOOK_SECRET: "a-secret-of-some-length" },
      );
      expect(await ask(url, { preset: "quick" })).toMatchObject({ answer: "Tabs", voting: { k: 2 } });
      sim.script({ rules: [{ contains: "low cost", reply: { kind: "answer", answer: "spaces" } }] });
      const panel = await ask(url, { models: ["a", "b"], k: 2, criteria: ["low cost"] });
      expect(panel).toMatchObject({ answer: "spaces", model: "a, b" });
      sim.script({});
      const { answer } = await ask(url, { answer_schema: schema, k: 1 });
      expect(answer).toEqual({ pick: expect.any(String) });
      const { request_id } = await ask(url, { k: 1, webhook: `http://${host}/` });
      await eventually(() => received).toEqual([request_id]);
      const before = sim.stats.arrivals;
      const cached = await ask(url, { k: 1, cache: "allow", webhook: `http://${host}/` });
      expect(cached).toMatchObject({ request_id, cached: { run: request_id } });
      expect(sim.stats.arrivals).toBe(before);
      await eventually(() => received).toEqual([request_id, request_id]);
      expect((await ask(url, { k: 2, cache: "allow" })).cached).toBeUndefined();
    },
  );

  it("a response is found in the cache whichever endpoint it was made for", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const [first, ...others] = Object.values(ENDPOINTS);
    await first!(url, { k: 2 });
    for (const ask of others) expect(await ask(url, { k: 2, cache: "allow" })).toHaveProperty("cached");
    expect(sim.stats.arrivals).toBe(2);
  });
});

describe("choosing settings on /v1 [C-config]", () => {
  it("a preset can follow the name of the model, for clients that can only choose a model", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = openai(url);
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["auto", "vote", "vote:quick", "council:thorough"]));
    expect(await client.models.retrieve("vote:quick")).toMatchObject({ id: "vote:quick" });
    const quick = await client.chat.completions.create({ model: "vote:quick", messages });
    expect(quick).toMatchObject({ model: "vote:quick", council: { voting: { k: 2 } } });
    const body = { model: "vote:quick", messages, config: { k: 1 } };
    expect(await client.chat.completions.create(body)).toMatchObject({ council: { voting: { k: 1 } } });
    await expect(client.chat.completions.create({ model: "vote:hasty", messages })).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
  });

  it("a setting outside config is an error that says where it belongs, not silence", async () => {
    const { url, sim } = await startCouncil();
    for (const wrong of [
      { preset: "quick" },
      { models: ["a"] },
      { criteria: ["cost"] },
      { cache: "allow" },
    ]) {
      const body = { model: "vote", messages, ...wrong };
      const [field] = Object.keys(wrong);
      await expect(openai(url).chat.completions.create(body)).rejects.toMatchObject({
        status: 400,
        param: field,
        message: expect.stringContaining(`send "config": {"${field}": …}`),
      });
    }
    const nested = { model: "vote", messages, config: { num_votes: 3 } };
    await expect(openai(url).chat.completions.create(nested)).rejects.toMatchObject({
      param: "config.num_votes",
    });
    const both = {
      model: "vote",
      messages,
      config: { answer_schema: schema },
      response_format: { type: "json_schema" as const, json_schema: { name: "pick", schema } },
    };
    await expect(openai(url).chat.completions.create(both)).rejects.toMatchObject({
      param: "config.answer_schema",
    });
    expect(sim.stats.arrivals).toBe(0);
  });

  it("reasoning_effort of the protocol is passed on; a temperature above 0 wants no cached response", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = openai(url);
    const body = { model: "vote", messages, config: { cache: "allow", k: 1 } };
    await client.chat.completions.create({ ...body, reasoning_effort: "low" });
    expect(sim.log.at(-1)).toMatchObject({ model: "sim" });
    await client.chat.completions.create({ ...body, reasoning_effort: "low", temperature: 0 });
    expect(sim.stats.arrivals).toBe(1);
    await client.chat.completions.create({ ...body, reasoning_effort: "low", temperature: 0.7 });
    expect(sim.stats.arrivals).toBe(2);
    const { runs } = await readJson(fetch(`${url}/runs`));
    const run = await readJson(fetch(`${url}/runs/${runs[0].id}`));
    expect(run.request.config).toEqual({ k: 1, reasoning_effort: "low" });
  });
});
