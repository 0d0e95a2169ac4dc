import { expect, test } from "vitest";
import { readConfig } from "../config/config.ts";
import { contextWindows } from "./context-windows.ts";

/** The function for these settings, with an endpoint that lists `models`. */
function setUp(env: Record<string, string>, models: unknown = []) {
  const requests: { url: string; headers: unknown }[] = [];
  let time = 0;
  const fetch = (async (url: URL, { headers }: RequestInit) => {
    requests.push({ url: String(url), headers });
    if (models instanceof Error) throw models;
    return Response.json(models);
  }) as unknown as typeof globalThis.fetch;
  const settings = { MAKER_API_MODEL: "m", ...env };
  const windowOf = contextWindows(readConfig(settings).models, fetch, () => time);
  return { windowOf, requests, advance: (ms: number) => (time += ms) };
}

const LOCAL = { MAKER_API_URL: "http://127.0.0.1:9/v1" };

test.each<[string, object]>([
  ["OpenRouter", { data: [{ id: "m", context_length: 32_000 }] }],
  ["Groq", { data: [{ id: "m", context_window: 32_000 }] }],
  ["vLLM", { data: [{ id: "m", max_model_len: 32_000 }] }],
  ["Mistral", { data: [{ id: "m", max_context_length: 32_000 }] }],
  ["llama.cpp", { data: [{ id: "m", meta: { n_ctx: 32_000, n_ctx_train: 131_072 } }] }],
  ["Together", [{ id: "m", context_length: 32_000 }]],
])("[M-context] the window is read from the list of models as %s has it", async (_, list) => {
  const { windowOf } = setUp(LOCAL, list);
  expect(await windowOf("m", 50_000)).toBe(32_000);
  expect(await windowOf("other", 50_000)).toBeUndefined();
});

test("[M-context] the provider is asked once, with the key, and not for a short request", async () => {
  const { windowOf, requests, advance } = setUp(
    { ...LOCAL, MAKER_API_KEY: "k" },
    { data: [{ id: "m", max_model_len: 4000 }] },
  );
  expect(await windowOf("m", 100)).toBeUndefined();
  expect(requests).toEqual([]);
  await Promise.all([windowOf("m", 5000), windowOf("m", 5000)]);
  expect(requests).toEqual([{ url: "http://127.0.0.1:9/v1/models", headers: { authorization: "Bearer k" } }]);
  advance(11 * 60_000);
  await windowOf("m", 5000);
  expect(requests).toHaveLength(2);
});

test.each([
  new Error("refused"),
  null,
  "x",
  { data: [null, 1, { id: 1 }, { id: "m", context_length: "9" }] },
])("[M-context] a list that says nothing refuses nothing: %s", async (models) => {
  expect(await setUp(LOCAL, models).windowOf("m", 50_000)).toBeUndefined();
});

test("[M-context] the makers' own models are in a table, dated snapshots too", async () => {
  const openai = setUp({ OPENAI_API_KEY: "k" });
  expect(await openai.windowOf("gpt-4o-2024-11-20", 200_000)).toBe(128_000);
  expect(await openai.windowOf("new-model", 200_000)).toBeUndefined();
  expect(openai.requests).toEqual([]);
  const anthropic = setUp({ ANTHROPIC_API_KEY: "k", MAKER_API_MODEL: "anthropic/claude-haiku-4-5" });
  expect(await anthropic.windowOf("anthropic/claude-haiku-4-5-20251001", 300_000)).toBe(200_000);
});
