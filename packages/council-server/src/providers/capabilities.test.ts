import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelRequest } from "@mci-ts/council";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
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

/** A model at an endpoint that refuses as configured, and every body it was sent. */
async function endpoint(
  refuse: Refuse,
  answer: string | null = '{"answer":"Paris"}',
  env: Record<string, string> = {},
) {
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
  const settings = { MAKER_API_URL: `http://127.0.0.1:${port}/v1`, MAKER_API_MODEL: "m", ...env };
  const restart = async () => {
    const model = (await openModels(readConfig(settings).models)).forRun({});
    return (prompt: string, more: Partial<ModelRequest> = {}) =>
      model.complete(
        { ...request, messages: [{ role: "user", content: prompt }], ...more },
        AbortSignal.timeout(5000),
      );
  };
  return { ask: await restart(), bodies, restart };
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
    // Structured output has one more rung: JSON mode.
    const rungs = param === "response_format" ? [true, true] : [true];
    expect(bodies.map((body) => param in body)).toEqual([...rungs, false, false]);
    if (param === "max_tokens") expect(bodies.at(-1)).toMatchObject({ max_completion_tokens: 100 });
    if (param === "response_format")
      expect(JSON.stringify(bodies.at(-1))).toContain("valid against this JSON Schema");
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
    expect(bodies).toHaveLength(5);
    expect(sent(bodies[4]!)).toEqual({ temperature: false, max_tokens: true, schema: false });
  });
});

describe("what a prompt or a model's name says", () => {
  it.each<[string, Refuse]>([
    ["quoted in an error", (_, text) => [400, { error: { message: `Policy: ${text}` } }]],
    [
      "quoted, with another parameter named",
      (_, text) => [400, { error: { message: text, param: "messages" } }],
    ],
    ["quoted in a page that is not JSON", (_, text) => [400, `<html>${text}</html>`]],
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

it("an endpoint that ignores the schema gets it in the prompt for a while, then as a schema once more [M-structured]", async () => {
  const { ask, bodies } = await endpoint(() => undefined, "Paris!");
  for (let n = 0; n < 30; n++) await ask("one");
  const bySchema = bodies.flatMap((body, at) => (sent(body).schema ? [at] : []));
  expect(bySchema).toEqual([0, 1, 22]);
});

describe("the ladders", () => {
  it.each<[string, number, object, (body: Body) => boolean]>([
    [
      "the system role, in the words of OpenAI",
      400,
      {
        error: {
          message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
          param: "messages[0].role",
          code: "unsupported_value",
        },
      },
      (body) => (body["messages"] as { role: string }[])[0]!.role === "system",
    ],
    [
      "the system role, in the words of vLLM",
      400,
      {
        object: "error",
        message: "System role not supported",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
      (body) => (body["messages"] as { role: string }[])[0]!.role === "system",
    ],
    [
      "the system role, in the words of a chat template",
      500,
      { error: { code: 500, message: "Jinja Exception: System role not supported", type: "server_error" } },
      (body) => (body["messages"] as { role: string }[])[0]!.role === "system",
    ],
    [
      "reasoning effort, in the words of xAI",
      400,
      { code: "Bad request", error: "Model grok-4 does not support parameter reasoningEffort." },
      (body) => "reasoning_effort" in body,
    ],
    [
      "a grammar, in the words of llama.cpp",
      500,
      { error: { code: 500, message: "failed to parse grammar", type: "server_error" } },
      (body) => (body["response_format"] as { type?: string })?.type === "json_schema",
    ],
    [
      "structured output, with 501",
      501,
      { error: "json mode is not implemented" },
      (body) => "response_format" in body,
    ],
    [
      "a schema, behind OpenRouter",
      404,
      { error: { code: 404, message: "No endpoints found that support response_format" } },
      (body) => "response_format" in body,
    ],
    [
      "a token limit, in the words of Mistral",
      422,
      {
        detail: [
          { type: "extra_forbidden", loc: ["body", "max_tokens"], msg: "Extra inputs are not permitted" },
        ],
      },
      (body) => "max_tokens" in body,
    ],
  ])("step down from %s, and stay down [M-ladder]", async (_, status, refusal, isRefused) => {
    const { ask, bodies } = await endpoint((body) => (isRefused(body) ? [status, refusal] : undefined));
    const messages = [
      { role: "system" as const, content: "You vote." },
      { role: "user" as const, content: "Which?" },
    ];
    for (let n = 0; n < 2; n++) await ask("", { messages, reasoningEffort: "low" });
    expect(isRefused(bodies[0]!)).toBe(true);
    expect(bodies.filter(isRefused).length).toBeLessThanOrEqual(2);
    expect(isRefused(bodies.at(-1)!)).toBe(false);
    expect(JSON.stringify(bodies.at(-1))).toMatch(/You vote\..*Which\?/);
  });

  it("go through JSON mode, with the schema in the prompt, before the prompt alone [M-ladder]", async () => {
    const types = (body: Body) => (body["response_format"] as { type?: string })?.type;
    const { ask, bodies } = await endpoint((body) =>
      types(body) === "json_schema"
        ? [400, { error: { message: "This response_format type is unavailable now" } }]
        : undefined,
    );
    await ask("one");
    await ask("two");
    expect(bodies.map(types)).toEqual(["json_schema", "json_object", "json_object"]);
    expect(JSON.stringify(bodies.at(-1))).toContain("valid against this JSON Schema");
  });

  it("are walked for a request that holds the very words, which teaches nothing [M-ladder]", async () => {
    const { ask, bodies } = await endpoint((body) =>
      "response_format" in body ? [400, { error: { message: "no response_format here" } }] : undefined,
    );
    await ask("Why is my response_format refused?");
    expect(bodies).toHaveLength(3);
    await ask("one");
    expect(bodies.map((body) => sent(body).schema)).toEqual([true, true, false, true, true, false]);
  });

  it("are remembered across restarts, for a week [M-ladder]", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mci-capabilities-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const env = { MCI_DATA_DIR: folder };
    const refuse: Refuse = (body) =>
      "temperature" in body ? [400, { error: { message: "x", param: "temperature" } }] : undefined;
    const { ask, bodies, restart } = await endpoint(refuse, undefined, env);
    await ask("one");
    const again = await restart();
    await again("two");
    expect(bodies.map((body) => sent(body).temperature)).toEqual([true, false, false]);
    const file = join(folder, "model-capabilities.json");
    const kept = JSON.parse(await readFile(file, "utf8"));
    for (const limits of Object.values<{ at: number }>(kept.models)) limits.at -= 8 * 86_400_000;
    await writeFile(file, JSON.stringify(kept));
    await (await restart())("three");
    expect(bodies.map((body) => sent(body).temperature)).toEqual([true, false, false, true, false]);
    await writeFile(file, "{ broken");
    expect((await (await restart())("four")).text).toContain("Paris");
  });

  it("do not touch an answer that the provider itself rejected: it is a reply, and a red flag [M-invalid-json]", async () => {
    const { ask, bodies } = await endpoint(() => [
      400,
      {
        error: { message: "Failed to generate JSON", code: "json_validate_failed", failed_generation: "{oh" },
      },
    ]);
    expect(await ask("one")).toMatchObject({ text: "{oh", finishReason: "invalid_output" });
    expect(bodies).toHaveLength(1);
  });

  it("do not repeat a request from which nothing can be left out [M-ladder]", async () => {
    const { ask, bodies } = await endpoint(() => [
      400,
      { error: { message: "reasoning must be passed back" } },
    ]);
    await expect(ask("one")).rejects.toThrow("HTTP 400");
    expect(bodies).toHaveLength(1);
  });

  it("nor a prompt that a filter withheld [M-finish]", async () => {
    const { ask } = await endpoint(() => [
      400,
      {
        error: {
          message: "The response was filtered",
          code: "content_filter",
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
    ]);
    expect(await ask("one")).toMatchObject({ text: "", finishReason: "content_filter" });
  });

  it.each<[string, number, object, RegExp]>([
    [
      "vLLM",
      400,
      {
        error: {
          message: "This model's maximum context length is 4096 tokens. However, you requested 9000",
          code: 400,
        },
      },
      /does not fit the model's context/,
    ],
    [
      "llama.cpp",
      400,
      { error: { code: 400, message: "too many", type: "exceed_context_size_error", n_ctx: 4096 } },
      /does not fit the model's context/,
    ],
    ["Anthropic", 400, { type: "error", error: { message: "prompt is too long: 9 > 8" } }, /does not fit/],
    [
      "OpenAI's empty account",
      429,
      { error: { message: "quota", code: "insufficient_quota" } },
      /no credit left/,
    ],
    [
      "xAI's empty account",
      429,
      { code: "x", error: "Your team has used all available credits" },
      /no credit left/,
    ],
    ["DeepSeek's empty account", 402, { error: { message: "Insufficient Balance" } }, /no credit left/],
  ])("%s says what a retry does not mend [M-fatal]", async (_, status, body, message) => {
    const { ask, bodies } = await endpoint(() => [status, body]);
    await expect(ask("one")).rejects.toMatchObject({
      message: expect.stringMatching(message),
      retryable: false,
    });
    expect(bodies).toHaveLength(1);
  });
});
