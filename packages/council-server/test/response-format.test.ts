import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { post, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const messages = [{ role: "user" as const, content: "Tabs or spaces?" }];
const schema = {
  type: "object",
  properties: { choice: { type: "string" }, votes: { type: "integer", minimum: 0 } },
  required: ["choice", "votes"],
  additionalProperties: false,
};
const response_format = { type: "json_schema" as const, json_schema: { name: "pick", schema, strict: true } };

describe("response_format [C-format]", () => {
  it("json_schema gives an object of the schema that was voted on, plain and in a stream", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const plain = await client.chat.completions.create({ model: "vote", messages, response_format });
    expect(JSON.parse(plain.choices[0]!.message.content!)).toEqual({ choice: "Tabs", votes: 0 });
    expect(plain).toMatchObject({ council: { answer: { choice: "Tabs", votes: 0 }, usage: { calls: 3 } } });
    expect(sim.stats.arrivals).toBe(3);
    const stream = await client.chat.completions.create({
      model: "vote",
      messages,
      response_format,
      stream: true,
    });
    let content = "";
    for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? "";
    expect(JSON.parse(content)).toEqual({ choice: "Tabs", votes: 0 });
  });

  it("json_object gives an object, text changes nothing", async () => {
    const { url } = await startCouncil({
      behaviour: { truth: "Tabs" },
      rules: [{ contains: "The decision:", reply: { kind: "text", text: '```json\n{"pick": "Tabs"}\n```' } }],
    });
    const ask = async (type: string) =>
      (
        await readJson(
          post(`${url}/v1/chat/completions`, { model: "vote", messages, response_format: { type } }),
        )
      ).choices[0].message.content;
    expect(JSON.parse(await ask("json_object"))).toEqual({ pick: "Tabs" });
    expect(await ask("text")).toBe("Tabs");
  });

  it("a decomposition is put into the schema by one more call; what does not fit is asked for again, and never handed out", async () => {
    const wrong = { kind: "text" as const, text: '{"choice": 7}' };
    const once = await startCouncil({
      behaviour: { truth: "Tabs" },
      rules: [{ contains: "The decision:", times: 1, reply: wrong }],
    });
    const body = { model: "decompose", messages, response_format };
    const { choices } = await readJson(post(`${once.url}/v1/chat/completions`, body));
    expect(JSON.parse(choices[0].message.content)).toEqual({ choice: "Tabs", votes: 0 });
    const always = await startCouncil({ rules: [{ contains: "The decision:", reply: wrong }] });
    const response = await post(`${always.url}/v1/chat/completions`, body);
    expect([response.status, (await readJson(response)).error.code]).toEqual([502, "no_valid_answer"]);
  });

  it("a vote that decides on no object is an error, never an object that did not win", async () => {
    const { url } = await startCouncil({ behaviour: { accuracy: 0.5, truth: "a", wrong: ["b"] } });
    const body = {
      model: "vote",
      messages: [{ role: "user", content: "Say it" }],
      response_format,
      maker_k: 25,
    };
    const response = await post(`${url}/v1/chat/completions`, body);
    const { error } = await readJson(response);
    expect([response.status, error.code]).toEqual([502, "no_valid_answer"]);
    expect(error.message).toContain("did not converge");
  });

  it.each([
    ["an unknown type", { type: "xml" }],
    [
      "a schema that is not one",
      { type: "json_schema", json_schema: { name: "x", schema: { type: "nothing" } } },
    ],
    [
      "a pattern that could take unbounded time",
      {
        type: "json_schema",
        json_schema: {
          name: "x",
          schema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+\\1$" } } },
        },
      },
    ],
    ["a schema without a name", { type: "json_schema", json_schema: { schema } }],
    [
      "a huge schema",
      { type: "json_schema", json_schema: { name: "x", schema: { description: "x".repeat(70_000) } } },
    ],
  ])("%s is rejected before any call", async (_, response_format) => {
    const { url, sim } = await startCouncil();
    const response = await post(`${url}/v1/chat/completions`, { model: "vote", messages, response_format });
    const { error } = await readJson(response);
    expect([response.status, error.param, sim.stats.arrivals]).toEqual([
      400,
      expect.stringContaining("response_format"),
      0,
    ]);
  });

  it("is filled with placeholders by the simulated model [S-placeholders]", async () => {
    const { url } = await startService();
    const ask = async (model: string, response_format: unknown) => {
      const response = await post(`${url}/v1/chat/completions`, { model, messages, response_format });
      const { choices, council } = await readJson(response);
      expect([response.status, council.model]).toEqual([200, "simulated"]);
      return JSON.parse(choices[0].message.content);
    };
    const { schema } = response_format.json_schema;
    for (const model of ["vote", "council", "decompose"])
      expect(Object.keys(await ask(model, response_format))).toEqual(Object.keys(schema.properties));
    expect(JSON.stringify(await ask("vote", { type: "json_object" }))).toContain("Simulated");
  });
});
