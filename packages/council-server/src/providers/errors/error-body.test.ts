import { expect, it } from "vitest";
import { durationMs, type ProviderErrorBody, readErrorBody } from "./error-body.ts";

it.each<[string, unknown, ProviderErrorBody]>([
  [
    "OpenAI, Azure, Groq, DeepSeek",
    {
      error: {
        message: "no",
        type: "invalid_request_error",
        param: "temperature",
        code: "unsupported_value",
      },
    },
    { message: "no", type: "invalid_request_error", param: "temperature", code: "unsupported_value" },
  ],
  [
    "vLLM and llama.cpp, whose code is a number",
    { error: { code: 400, message: "no grammar", type: "invalid_request_error" } },
    { message: "no grammar", type: "invalid_request_error" },
  ],
  [
    "older vLLM, without error",
    {
      object: "error",
      message: "System role not supported",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    { message: "System role not supported", type: "BadRequestError" },
  ],
  [
    "OpenRouter, with the text of the provider behind it",
    {
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: {
          raw: '{"error":{"message":"no response_format","param":"response_format","code":"x"}}',
          provider_name: "Azure",
        },
      },
    },
    { message: "Provider returned error: no response_format", param: "response_format", code: "x" },
  ],
  [
    "OpenRouter, with a text that is not JSON",
    { error: { code: 400, message: "Provider returned error", metadata: { raw: "schema not supported" } } },
    { message: "Provider returned error: schema not supported" },
  ],
  [
    "Anthropic",
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "r" },
    { message: "Overloaded", type: "overloaded_error" },
  ],
  [
    "Gemini, with the time to wait",
    {
      error: {
        code: 429,
        message: "exhausted",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "39s" }],
      },
    },
    { message: "exhausted", code: "RESOURCE_EXHAUSTED", retryAfterMs: 39_000 },
  ],
  [
    "Gemini's compatible endpoint, a list",
    [{ error: { code: 400, message: 'Unknown name "top_k"', status: "INVALID_ARGUMENT" } }],
    { message: 'Unknown name "top_k"', code: "INVALID_ARGUMENT" },
  ],
  ["Ollama and LM Studio, a text", { error: "model not found" }, { message: "model not found" }],
  [
    "xAI, two texts",
    { code: "Client specified an invalid argument", error: "no presencePenalty" },
    { message: "no presencePenalty", code: "Client specified an invalid argument" },
  ],
  [
    "Mistral, a message with details",
    {
      object: "error",
      message: { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs" }] },
      type: "invalid_request_error",
      code: null,
    },
    { message: "seed: Extra inputs", param: "seed", type: "invalid_request_error" },
  ],
  ["Mistral, a list of messages", { message: [{ message: "first" }] }, { message: "first" }],
  ["Cohere, a bare message", { message: "invalid request" }, { message: "invalid request" }],
  [
    "FastAPI",
    { detail: [{ loc: ["body", "response_format"], msg: "extra", type: "x" }] },
    { message: "response_format: extra", param: "response_format", type: "x" },
  ],
  ["FastAPI, a text", { detail: "Not Found" }, { message: "Not Found" }],
  [
    "a gateway that wraps an error as text",
    { error: { message: '{"error":{"code":429,"message":"exhausted","status":"X"}}', code: 429 } },
    { message: "exhausted", code: "X" },
  ],
  [
    "Groq, with what its model wrote",
    { error: { message: "Failed to generate JSON", code: "json_validate_failed", failed_generation: "{oh" } },
    { message: "Failed to generate JSON", code: "json_validate_failed", failedGeneration: "{oh" },
  ],
  [
    "a wait in words",
    { error: { message: "Rate limit reached. Please try again in 1m2.5s." } },
    { message: "Rate limit reached. Please try again in 1m2.5s.", retryAfterMs: 62_500 },
  ],
])("the error of %s is understood [M-envelope]", (_, body, expected) => {
  expect(readErrorBody(JSON.stringify(body))).toEqual(expected);
});

it.each([
  "",
  "<html>no</html>",
  "null",
  "7",
  '"text"',
  "[]",
  "{}",
  "[[[[[[[[]]]]]]]]",
  '{"error":{"message":{}}}',
])("what is not an error says nothing: %s", (body) =>
  expect(readErrorBody(body)).toMatchObject({ message: "" }),
);

it.each([
  ["2ms", 2],
  ["1.57s", 1570],
  ["6m0s", 360_000],
  ["1h2m", 3_720_000],
  ["soon", undefined],
  ["12", undefined],
])("the duration %s is %s ms", (text, ms) => expect(durationMs(text)).toBe(ms));
