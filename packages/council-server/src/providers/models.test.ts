import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startFakeProvider } from "../../../fake-provider/src/server.ts";
import { readConfig } from "../config/config.ts";
import { isStrict } from "./capabilities.ts";
import { detectLocal } from "./detect-local.ts";
import { readRetryAfter } from "./errors/model-error.ts";
import { openModels } from "./models.ts";
import { keyDestinations } from "./routing.ts";
import { modelResolver } from "./sdk.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };

describe("a key", () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ MAKER_API_URL: "https://a.example/v1", MAKER_API_MODEL: "m" }, []],
    [{ OPENAI_API_KEY: "very-secret" }, ["OPENAI_API_KEY goes to api.openai.com"]],
    [
      { OPENAI_API_KEY: "very-secret", MAKER_API_URL: "https://a.example:8000/v1", MAKER_API_MODEL: "m" },
      ["OPENAI_API_KEY goes to a.example:8000"],
    ],
    [
      { MAKER_API_KEY: "very-secret", MAKER_API_URL: "http://models.lan/v1", MAKER_API_MODEL: "m" },
      ["MAKER_API_KEY goes to models.lan, unencrypted (http)"],
    ],
    [
      { MAKER_API_KEY: "very-secret", MAKER_API_URL: "http://127.0.0.1:9/v1", MAKER_API_MODEL: "m" },
      ["MAKER_API_KEY goes to 127.0.0.1:9"],
    ],
    [
      { ANTHROPIC_API_KEY: "very-secret", GOOGLE_GENERATIVE_AI_API_KEY: "too", MAKER_API_MODEL: "google/x" },
      [
        "ANTHROPIC_API_KEY goes to api.anthropic.com",
        "GOOGLE_GENERATIVE_AI_API_KEY goes to generativelanguage.googleapis.com",
      ],
    ],
  ])("is never shown, but where it goes is: %o [S-key]", (env, expected) => {
    expect(keyDestinations(readConfig(env).models)).toEqual(expected);
  });

  it("of a maker goes to that maker, whatever variables the SDK knows [S-key]", async () => {
    const elsewhere = await startFakeProvider({});
    vi.stubEnv("ANTHROPIC_BASE_URL", elsewhere.url);
    const { models } = readConfig({ ANTHROPIC_API_KEY: "k", MAKER_API_MODEL: "anthropic/x" });
    const resolve = modelResolver(models);
    const { config } = resolve("anthropic/x").model as unknown as { config: { baseURL: string } };
    vi.unstubAllEnvs();
    await elsewhere.close();
    expect(config.baseURL).toBe("https://api.anthropic.com/v1");
  });
});

describe("finding a model", () => {
  it("uses a local model server when no key is set, and says which [S-local]", async () => {
    const local = await startFakeProvider({ models: ["nomic-embed-text", "llama3.2", "qwen3"] });
    const models = await openModels(readConfig({}).models, () =>
      detectLocal([{ name: "Ollama", url: local.url }]),
    );
    await local.close();
    expect(models.names).toMatchObject({ voter: "llama3.2" });
    expect(models.simulated).toBe(false);
    expect(models.description).toContain(`Ollama at ${local.url}`);
  });

  it("asks a local server for the model that is named, and fails at startup where there is none", async () => {
    const local = await startFakeProvider({ models: ["llama3.2"] });
    const { models } = readConfig({ MAKER_API_MODEL: "qwen3" });
    const found = await openModels(models, () => detectLocal([{ name: "Ollama", url: local.url }]));
    await local.close();
    expect(found.names).toMatchObject({ voter: "qwen3", judge: "qwen3" });
    await expect(openModels(models, async () => undefined)).rejects.toThrow(/MAKER_API_MODEL names qwen3/);
    const quiet = readConfig({ MCI_DETECT_LOCAL: "0" }).models;
    expect(await openModels(quiet, () => expect.unreachable())).toMatchObject({ simulated: true });
  });

  it.each([
    ["http://127.0.0.1:8080/v1", "m", true],
    ["http://ollama:11434/v1", "m", true],
    ["https://models.example.com/v1", "m", false],
    ["http://127.0.0.1:8080/v1", "anthropic/m", false],
  ])("knows that what %s serves as %s may be on a slow machine: %s", async (url, id, isLocal) => {
    const settings = { MAKER_API_URL: url, MAKER_API_MODEL: "m", ANTHROPIC_API_KEY: "k" };
    expect((await openModels(readConfig(settings).models)).isLocal(id)).toBe(isLocal);
  });

  it("finds nothing within a short time where nothing answers", async () => {
    const silent = await startFakeProvider();
    await silent.close();
    expect(await detectLocal([{ name: "Ollama", url: silent.url }], 200)).toBeUndefined();
  });

  it("is not fooled by a server that is not a model server", async () => {
    const other = await startFakeProvider({ models: [] });
    expect(await detectLocal([{ name: "Ollama", url: other.url }])).toBeUndefined();
    await other.close();
  });

  it.each([
    ["anthropic/claude-haiku-4-5", { ANTHROPIC_API_KEY: "k" }, "anthropic"],
    ["google/gemini-2.5-flash", { GOOGLE_GENERATIVE_AI_API_KEY: "k" }, "google"],
    ["anthropic/claude-haiku-4-5", { MAKER_API_URL: "https://openrouter.ai/api/v1" }, "openrouter.ai"],
  ])("sends %s to its maker where a key is set, else to the endpoint", async (id, env, provider) => {
    const models = await openModels(readConfig({ MAKER_API_MODEL: id, ...env }).models);
    expect(models.providerName(id)).toBe(provider);
    expect(models.refuse(id)).toBeUndefined();
  });

  it("sends every model to a router whose ids name their maker, and says which host is called", async () => {
    const env = { ANTHROPIC_API_KEY: "k", MAKER_API_KEY: "r" };
    const url = "https://openrouter.ai/api/v1";
    const routed = await openModels(
      readConfig({ ...env, MAKER_API_URL: url, MAKER_API_MODEL: "anthropic/x" }).models,
    );
    expect(routed.providerName("anthropic/x")).toBe("openrouter.ai");
    expect(routed.description).toBe("anthropic/x (https://openrouter.ai/api/v1, OpenRouter)");
    const gateway = {
      ...env,
      MAKER_API_URL: "https://gateway.example/v1",
      MAKER_VOTER_MODEL: "anthropic/x,mine",
    };
    const mixed = await openModels(readConfig(gateway).models);
    expect(mixed.description).toBe("anthropic/x at api.anthropic.com, mine at gateway.example");
    const set = await openModels(readConfig({ ...gateway, MCI_DIALECT: "openrouter" }).models);
    expect(set.providerName("anthropic/x")).toBe("gateway.example");
  });

  it("refuses a model that has no provider, and names the setting to add", async () => {
    const models = await openModels(
      readConfig({ MAKER_API_MODEL: "anthropic/x", ANTHROPIC_API_KEY: "k" }).models,
    );
    expect(models.refuse("google/gemini")).toContain("GOOGLE_GENERATIVE_AI_API_KEY");
    const wrong = readConfig({ MAKER_API_MODEL: "gpt-4o", ANTHROPIC_API_KEY: "k" }).models;
    await expect(openModels(wrong)).rejects.toThrow(/MAKER_API_URL/);
  });
});

describe("prices", () => {
  const price = async (model: string, env: Record<string, string>) =>
    (await openModels(readConfig({ MAKER_API_MODEL: model, ...env }).models)).price(model, usage);

  it("come from the table at the maker's own endpoint, dated snapshots included [M-price]", async () => {
    expect(await price("gpt-4o-mini-2024-07-18", { OPENAI_API_KEY: "k" })).toBeCloseTo(0.21);
    expect(await price("anthropic/claude-haiku-4-5", { ANTHROPIC_API_KEY: "k" })).toBeCloseTo(1.5);
  });

  it("are unknown for other endpoints and other models: never made up", async () => {
    expect(await price("gpt-4o-mini", { MAKER_API_URL: "http://127.0.0.1:1/v1" })).toBeUndefined();
    expect(await price("gpt-9", { OPENAI_API_KEY: "k" })).toBeUndefined();
  });

  it("are unknown for what every object has, and where the provider counted nothing [M-price]", async () => {
    expect(await price("constructor", { MAKER_API_URL: "http://127.0.0.1:1/v1" })).toBeUndefined();
    const { models } = readConfig({ MAKER_API_MODEL: "gpt-4o", OPENAI_API_KEY: "k" });
    const uncounted = { inputTokens: 0, outputTokens: 0 };
    expect((await openModels(models)).price("gpt-4o", uncounted)).toBeUndefined();
  });

  it("are nothing for what is free, counted or not", async () => {
    const file = join(tmpdir(), `free-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ mine: { input: 0, output: 0 } }));
    const { models } = readConfig({
      MAKER_API_MODEL: "mine",
      MAKER_API_URL: "http://127.0.0.1:1/v1",
      MCI_PRICES: file,
    });
    expect((await openModels(models)).price("mine", { inputTokens: 0, outputTokens: 0 })).toBe(0);
  });

  it("can be given in a file; a mistake in it prevents startup", async () => {
    const file = join(tmpdir(), `prices-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ mine: { input: 2, output: 10 } }));
    expect(await price("mine", { MAKER_API_URL: "http://127.0.0.1:1/v1", MCI_PRICES: file })).toBe(3);
    await writeFile(file, JSON.stringify({ mine: { input: "cheap" } }));
    await expect(price("mine", { MAKER_API_URL: "http://127.0.0.1:1/v1", MCI_PRICES: file })).rejects.toThrow(
      /MCI_PRICES/,
    );
    // The object itself instead of a file.
    await expect(
      price("mine", {
        MAKER_API_URL: "http://127.0.0.1:1/v1",
        MCI_PRICES: '{"mine": {"input": 2, "output": 10}}',
      }),
    ).rejects.toThrow(/names a file/);
  });
});

describe("small rules", () => {
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after-ms": "150", "retry-after": "2" }, 150],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, 5000],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after-ms": "", "retry-after": "2" }, 2000],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("read %o as a delay of %s ms", (headers, expected) => {
    expect(readRetryAfter(headers, 0)).toBe(expected);
  });

  it.each([
    [{ type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false }, true],
    [{ type: "object", properties: { a: {} }, required: [], additionalProperties: false }, false],
    [{ type: "object", properties: { a: {} }, required: ["a"] }, false],
    [{ type: "array", items: { type: "object", properties: { a: {} } } }, false],
  ])("know whether strict decoding takes %o: %s", (schema, expected) => {
    expect(isStrict(schema)).toBe(expected);
  });
});
