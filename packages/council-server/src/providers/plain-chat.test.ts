import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, test } from "vitest";
import { ENDPOINT, type LanguageModel } from "./language-model.ts";
import { plainBody, plainChat, replayingFetch } from "./plain-chat.ts";

type Options = Parameters<LanguageModel["doGenerate"]>[0];

const user = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });
const schema = { type: "object" as const, properties: { n: { type: "integer" as const } } };
const PLAIN: Options = { prompt: [{ role: "system", content: "Count." }, user("Which number?")] };

test("[M-plain] the body of a plain call is the one that the SDK would send", async () => {
  const { model } = open(() => new Response());
  const calls: Options[] = [
    PLAIN,
    { prompt: [user("Hi"), { role: "assistant", content: [{ type: "text", text: "Hello" }] }, user("?")] },
    { ...PLAIN, temperature: 0.1, maxOutputTokens: 50, responseFormat: { type: "json" } },
    {
      ...PLAIN,
      responseFormat: { type: "json", name: "vote", schema },
      providerOptions: {
        openaiCompatible: { strictJsonSchema: false },
        [ENDPOINT]: { max_completion_tokens: 9, reasoning_effort: "low" },
      },
    },
    { ...PLAIN, responseFormat: { type: "json", schema }, temperature: 0 },
  ];
  for (const call of calls) expect(plainBody("sim", call)).toBe(JSON.stringify(await bodyOf(model, call)));
});

/** The SDK offers it, but its type does not say so. */
async function bodyOf(model: LanguageModel, call: Options): Promise<unknown> {
  const { prepareRequest } = model as unknown as {
    prepareRequest(call: Options): Promise<{ body: unknown }>;
  };
  return (await prepareRequest.call(model, call)).body;
}

test("[M-plain] tools, files and results of tools are the SDK's", async () => {
  const result = { type: "tool-result" as const, toolCallId: "1", toolName: "t" };
  const file = {
    type: "file" as const,
    mediaType: "image/png",
    data: { type: "data" as const, data: "AA==" },
  };
  const calls: Options[] = [
    { ...PLAIN, tools: [{ type: "function", name: "t", inputSchema: {} }] },
    { prompt: [{ role: "user", content: [file] }] },
    { prompt: [{ role: "tool", content: [{ ...result, output: { type: "text", value: "ok" } }] }] },
    { prompt: [{ role: "assistant", content: [{ ...result, type: "tool-call", input: {} }] }] },
  ];
  for (const call of calls) expect(plainBody("sim", call)).toBeUndefined();
});

const usage = { prompt_tokens: 7, completion_tokens: 3, cost: 0.1 };
const answer = (message: object, more: object = {}) =>
  JSON.stringify({ id: "1", model: "m", choices: [{ message, finish_reason: "stop" }], usage, ...more });

const REPLIES: Readonly<Record<string, string>> = {
  text: answer({ role: "assistant", content: '{"n":1}' }),
  "empty text": answer({ content: "" }),
  "no text": answer({ content: null }),
  reasoning: answer({ content: "1", reasoning_content: "because" }),
  "reasoning under another name": answer({ content: "1", reasoning: "because", refusal: "" }),
  refusal: answer({ content: null, refusal: "No." }),
  "tool calls": answer({
    content: null,
    tool_calls: [{ id: "a", function: { name: "t", arguments: "{}" } }],
  }),
  parts: answer({ content: [{ type: "text", text: "1" }] }),
  "another role": answer({ role: "tool", content: "1" }),
  "an unknown end": answer({}, { choices: [{ message: { content: "1" }, finish_reason: "constructor" }] }),
  "no end": answer({}, { choices: [{ message: { content: "1" } }] }),
  "two choices": answer({}, { choices: [{ message: { content: "1" } }, { message: { content: 2 } }] }),
  "no choices": answer({}, { choices: [] }),
  "a number as text": answer({ content: 5 }),
  "no usage": answer({ content: "1" }, { usage: null }),
  "detailed usage": answer(
    { content: "1" },
    {
      usage: {
        ...usage,
        prompt_tokens_details: { cached_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 2, accepted_prediction_tokens: 1 },
      },
    },
  ),
  "usage in words": answer({ content: "1" }, { usage: { prompt_tokens: "many" } }),
  "no JSON": "<html>",
  "no object": "[]",
};

test.for(Object.entries(REPLIES))(
  "[M-plain] a reply with %s is read as the SDK reads it, and asked for once",
  async ([, text]) => {
    await compare(() => new Response(text, { headers: { "x-ratelimit-remaining": "5" } }));
  },
);

test("[M-plain] a refused call, and one that fails on its way, are the SDK's errors", async () => {
  await compare(
    () => new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { "retry-after": "3" } }),
  );
  await compare(() => new Response("gone", { status: 502 }));
  await compare(() => {
    throw new TypeError("fetch failed", {
      cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
    });
  });
});

async function compare(respond: () => Response): Promise<void> {
  const { model, generate, asked } = open(respond);
  const expected = await settle(() => model.doGenerate(PLAIN));
  asked.length = 0;
  expect(await settle(() => generate(PLAIN))).toEqual(expected);
  expect(asked).toEqual(["http://provider/v1/chat/completions"]);
}

async function settle(call: () => ReturnType<LanguageModel["doGenerate"]>): Promise<object> {
  try {
    const { content, finishReason, usage, response } = await call();
    const { modelId, headers, body } = response ?? {};
    return { content, finishReason, usage, modelId, headers, body };
  } catch (error) {
    const { name, message, statusCode, responseBody, responseHeaders, isRetryable } = error as Error &
      Record<string, unknown>;
    return { name, message, statusCode, responseBody, responseHeaders, isRetryable };
  }
}

function open(respond: () => Response) {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input));
    return twiceReadable(respond());
  };
  const baseURL = "http://provider/v1";
  const model = createOpenAICompatible({
    name: ENDPOINT,
    baseURL,
    supportsStructuredOutputs: true,
    fetch: replayingFetch(fetch),
  }).chatModel("sim");
  const wire = { url: `${baseURL}/chat/completions`, headers: {}, model: "sim", fetch };
  return { model, generate: plainChat(model, wire), asked };
}

/** As the responses of `boundedFetch`. */
function twiceReadable(response: Response): Response {
  const copy = response.clone();
  return Object.assign(response, { text: () => copy.text() });
}
