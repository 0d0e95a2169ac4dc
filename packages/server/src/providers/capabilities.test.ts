import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelRequest } from "@mci-ts/council";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { openModels } from "./models.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

type Body = Record<string, unknown>;
/** A status and a body to refuse with, or undefined to answer. */
type Refuse = (body: Body, text: string) => [number, unknown] | undefined;

/** A model at an endpoint that refuses as told, and every body it was sent. */
async function endpoint(refuse: Refuse, answer = '{"answer":"Paris"}') {
  const bodies: Body[] = [];
  server = createServer((incoming, out) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    incoming.on("end", () => {
      const body = JSON.parse(text);
      bodies.push(body);
      const [status, refusal] = refuse(body, text) ?? [];
      const message = { role: "assistant", content: answer };
      const completion = { choices: [{ index: 0, message, finish_reason: "stop" }] };
      out.writeHead(status ?? 200, { "content-type": "application/json" });
      out.end(typeof refusal === "string" ? refusal : JSON.stringify(refusal ?? completion));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const settings = { MAKER_API_URL: `http://127.0.0.1:${port}/v1`, MAKER_API_MODEL: "m" };
  const { model } = await openModels(readConfig(settings).models);
  const ask = (prompt: string, more: Partial<ModelRequest> = {}) =>
    model.complete(
      { ...request, messages: [{ role: "user", content: prompt }], ...more },
      AbortSignal.timeout(5000),
    );
  return { ask, bodies };
}

const request: Omit<ModelRequest, "messages"> = {
  model: "m",
  purpose: "vote",
  temperature: 0.1,
  maxOutputTokens: 100,
  schema: {
    name: "vote",
    jsonSchema: {
      type: "object",
      properties: { answer: { type: "string" } },
      required: ["answer"],
      additionalProperties: false,
    },
  },
};
const sent = ({ temperature, max_tokens, response_format }: Body) => ({
  temperature: temperature !== undefined,
  max_tokens: max_tokens !== undefined,
  schema: response_format !== undefined,
});
const everything = { temperature: true, max_tokens: true, schema: true };

describe("an endpoint that does not take a parameter", () => {
  it.each<[string, string, object]>([
    [
      "temperature",
      "OpenAI",
      { error: { message: "Unsupported value", type: "x", param: "temperature", code: "unsupported_value" } },
    ],
    ["temperature", "Anthropic", { error: { message: "temperature may not be set with this model" } }],
    [
      "max_tokens",
      "OpenAI",
      { error: { message: "Use 'max_completion_tokens' instead.", param: "max_tokens", code: "x" } },
    ],
    ["response_format", "OpenAI", { error: { message: "Invalid", param: "response_format.json_schema" } }],
    [
      "response_format",
      "DeepSeek",
      { error: { message: "This response_format type is unavailable now", param: null, code: "x" } },
    ],
    ["response_format", "vLLM", { object: "error", message: "json_schema is not supported", code: 400 }],
    [
      "response_format",
      "FastAPI",
      { detail: [{ loc: ["body", "response_format"], msg: "extra", type: "x" }] },
    ],
    ["response_format", "Ollama", { error: "structured outputs are not supported" }],
  ])("%s, in the words of %s, is asked without it from then on [M-quirk]", async (param, _, refusal) => {
    const { ask, bodies } = await endpoint((body) => (param in body ? [400, refusal] : undefined));
    for (const prompt of ["one", "two"]) expect((await ask(prompt)).text).toBe('{"answer":"Paris"}');
    expect(bodies.map((body) => param in body)).toEqual([true, false, false]);
    if (param === "max_tokens") expect(bodies[2]).toMatchObject({ max_completion_tokens: 100 });
    if (param === "response_format")
      expect(JSON.stringify(bodies[2])).toContain("valid against this JSON Schema");
  });

  it("several of them, is asked without each", async () => {
    const { ask, bodies } = await endpoint((body) =>
      "temperature" in body
        ? [400, { error: { message: "", param: "temperature" } }]
        : "response_format" in body
          ? [422, { error: { message: "", param: "response_format" } }]
          : undefined,
    );
    await ask("one");
    await ask("two");
    expect(bodies).toHaveLength(4);
    expect(sent(bodies[3]!)).toEqual({ temperature: false, max_tokens: true, schema: false });
  });
});

describe("what a prompt or a model's name says", () => {
  it.each<[string, Refuse]>([
    ["quoted in an error", (_, text) => [400, { error: { message: `Policy: ${text}` } }]],
    [
      "quoted, with another parameter named",
      (_, text) => [400, { error: { message: text, param: "messages" } }],
    ],
    ["quoted in a page that is no JSON", (_, text) => [400, `<html>${text}</html>`]],
    [
      "quoted in a list of details",
      (_, text) => [422, { detail: [{ loc: ["body", "messages"], msg: text }] }],
    ],
  ])("and is %s switches nothing off for others [M-quirk]", async (_, refuse) => {
    const { ask, bodies } = await endpoint((body, text) =>
      text.includes("hostile") ? refuse(body, text) : undefined,
    );
    const prompt =
      "hostile: temperature, response_format, json_schema, max_tokens: use max_completion_tokens";
    for (let n = 0; n < 3; n++) await expect(ask(prompt)).rejects.toThrow("HTTP 4");
    await expect(ask("hostile", { model: "temperature/response_format" })).rejects.toThrow("HTTP 4");
    bodies.length = 0;
    await ask("harmless");
    await ask("harmless", { model: "temperature/response_format" });
    expect(bodies.map(sent)).toEqual([everything, everything]);
  });

  it("switches nothing off either where the endpoint quotes the whole request, parameters and all [M-quirk]", async () => {
    const { ask, bodies } = await endpoint((_, text) =>
      text.includes("hostile") ? [400, { error: { message: `cannot: ${text}` } }] : undefined,
    );
    await expect(ask("hostile")).rejects.toThrow("HTTP 400");
    bodies.length = 0;
    await ask("harmless");
    expect(bodies.map(sent)).toEqual([everything]);
  });

  it("does not keep a parameter from being named as such", async () => {
    const { ask, bodies } = await endpoint((body) =>
      "temperature" in body
        ? [400, { error: { message: "no temperature", param: "temperature" } }]
        : undefined,
    );
    await ask("At what temperature does water boil?");
    expect(bodies.map((body) => sent(body).temperature)).toEqual([true, false]);
  });
});

it("a token limit that is refused for its size is not sent under another name", async () => {
  const { ask, bodies } = await endpoint(() => [
    400,
    { error: { message: "too large", param: "max_tokens" } },
  ]);
  await expect(ask("one")).rejects.toThrow("too large");
  expect(bodies).toHaveLength(1);
});

it("an endpoint that ignores the schema is asked in words for a while, then by schema once more [M-structured]", async () => {
  const { ask, bodies } = await endpoint(() => undefined, "Paris!");
  for (let n = 0; n < 30; n++) await ask("one");
  const bySchema = bodies.flatMap((body, at) => (sent(body).schema ? [at] : []));
  expect(bySchema).toEqual([0, 1, 22]);
});
