import { expect, it } from "vitest";
import { DIALECT_NAMES, dialect, dialectOf, dialectOfResponse } from "./index.ts";

it.each([
  ["https://api.openai.com/v1", "openai"],
  ["https://mine.openai.azure.com/openai/v1", "azure"],
  ["https://mine.cognitiveservices.azure.com/openai", "azure"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["https://api.groq.com/openai/v1", "groq"],
  ["https://api.together.xyz/v1", "together"],
  ["https://api.deepseek.com", "deepseek"],
  ["https://api.mistral.ai/v1", "mistral"],
  ["https://api.x.ai/v1", "xai"],
  ["http://127.0.0.1:11434/v1", "ollama"],
  ["http://192.168.1.4:11434/v1", "ollama"],
  ["http://gpu:8000/v1", "vllm"],
  ["http://localhost:1234/v1", "lmstudio"],
  ["http://localhost:8080/v1", "llamacpp"],
  ["https://models.example:8000/v1", "generic"],
  ["https://api.openai.com.evil.example/v1", "generic"],
  ["https://gateway.example/v1", "generic"],
])("the address %s is spoken to as %s [M-dialect]", (url, name) => {
  expect(dialectOf(new URL(url))).toBe(name);
});

it.each<[Record<string, string>, object, string | undefined]>([
  [{ server: "llama.cpp" }, {}, "llamacpp"],
  [{}, { system_fingerprint: "fp_ollama" }, "ollama"],
  [{}, { x_groq: { id: "req" } }, "groq"],
  [{}, { id: "gen-1", provider: "Azure" }, "openrouter"],
  [{}, { prompt_logprobs: null }, "vllm"],
  [{}, { prompt_filter_results: [] }, "azure"],
  [{ server: "uvicorn" }, { id: "chatcmpl-1", choices: [] }, undefined],
])("a response with %j and %j gives away %s [M-dialect]", (headers, body, name) => {
  expect(dialectOfResponse(new Map(Object.entries(headers)), body)).toBe(name);
});

it.each([
  [
    "https://a.openai.azure.com/openai?api-version=2025-01-01",
    "https://a.openai.azure.com/openai/deployments/gpt%2F4/chat/completions?api-version=2025-01-01",
  ],
  [
    "https://a.openai.azure.com?api-version=1",
    "https://a.openai.azure.com/openai/deployments/gpt%2F4/chat/completions?api-version=1",
  ],
  [
    "https://a.openai.azure.com/openai/deployments/mine?api-version=1",
    "https://a.openai.azure.com/openai/deployments/mine/chat/completions?api-version=1",
  ],
  ["https://a.openai.azure.com/openai/v1", "https://a.openai.azure.com/openai/v1/chat/completions"],
])("Azure's address %s leads to %s [M-azure]", (base, expected) => {
  expect(dialect("azure").chatUrl!(new URL(base), "gpt/4")).toBe(expected);
});

it("every dialect has every field that has a default, and ends its ladder in the prompt", () => {
  for (const name of DIALECT_NAMES) {
    const full = dialect(name);
    expect(full.structured.at(-1)).toBe("prompt");
    expect(full.finishReasons["length"]).toBe("length");
    expect(full.outOfMoney.test("insufficient_quota")).toBe(true);
  }
});
