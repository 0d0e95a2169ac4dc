import { runCouncil } from "@mci-ts/council";
import { afterEach, describe, expect, it } from "vitest";
import { readPage } from "../../../../test/docs/markdown.ts";
import { type FakeProvider, startFakeProvider } from "../../../fake-provider/src/server.ts";
import { readConfig } from "../../src/config/config.ts";
import type { ModelConfig } from "../../src/config/model-config.ts";
import type { DialectName } from "../../src/providers/dialects/index.ts";
import { openModels } from "../../src/providers/models.ts";
import { endpointDialect, providerOf } from "../../src/providers/routing.ts";
import { fakeDialect } from "./provider.ts";

const page = readPage("docs/council/providers.md");
/** Each recipe, by its heading, as the settings it exports. */
const recipes = [...page.text.matchAll(/^### (.+)\n\n```sh\n([\s\S]*?)```/gm)].map(
  ([, title, script]): [string, Record<string, string>] => [
    title!,
    Object.fromEntries(
      [...script!.matchAll(/^export (\w+)="?([^"\n]+)"?$/gm)].map(([, name, value]) => [name!, value!]),
    ),
  ],
);

const started: FakeProvider[] = [];
afterEach(async () => {
  for (const provider of started.splice(0)) await provider.close();
});

const EXPECTED: Readonly<Record<string, readonly DialectName[]>> = {
  OpenAI: ["openai"],
  "Azure OpenAI": ["azure"],
  Anthropic: ["anthropic"],
  "Google Gemini": ["google"],
  OpenRouter: ["openrouter"],
  Groq: ["groq"],
  Ollama: ["ollama"],
  "LM Studio": ["lmstudio"],
  vLLM: ["vllm"],
  "llama.cpp": ["llamacpp"],
  "Mixed panels": ["openai", "anthropic"],
};

describe("the page on providers", () => {
  it("has a recipe for each provider", () => {
    expect(recipes.map(([title]) => title)).toEqual(Object.keys(EXPECTED));
  });

  it.each(recipes)("has a recipe for %s that works as written [M-recipes]", async (title, env) => {
    const { models: config, warnings } = readConfig(env);
    expect(warnings).toEqual([]);
    const ids = [...new Set([...config.names!.voters, config.names!.judge])];
    const spoken = ids.map((id) => dialectFor(id, config));
    expect(new Set(spoken)).toEqual(new Set(EXPECTED[title]));
    // The same settings, with a fake provider of the dialect at each address.
    const models = await openModels(await redirected(config, spoken));
    const { metadata } = await runCouncil(
      {
        prompt: "Design a cache for our API and weigh the options.",
        intent: "decision",
        config: { num_voters: 2 },
      },
      { model: models.forRun({ deadlineAt: performance.now() + 10_000 }), models: models.names },
    );
    expect(metadata.status).toBe("complete");
    for (const provider of started) expect(provider.stats.answered).toBeGreaterThan(0);
  });
});

function dialectFor(id: string, config: ModelConfig): DialectName {
  const provider = providerOf(id, config);
  return provider === "anthropic" || provider === "google" ? provider : endpointDialect(config);
}

async function redirected(config: ModelConfig, spoken: readonly DialectName[]): Promise<ModelConfig> {
  const nativeUrls: Record<string, string> = {};
  let { endpoint } = config;
  for (const name of new Set(spoken)) {
    const native = name === "anthropic" || name === "google";
    const key = { anthropic: config.anthropicKey, google: config.googleKey }[name as string] ?? endpoint?.key;
    const provider = await startFakeProvider({
      dialect: fakeDialect(name),
      ...(key ? { key } : {}),
      behaviour: { truth: "LRU" },
    });
    started.push(provider);
    if (native) nativeUrls[name] = provider.url;
    else if (endpoint) {
      const { pathname, search } = new URL(endpoint.url);
      endpoint = { ...endpoint, url: `${new URL(provider.url).origin}${pathname}${search}` };
    }
  }
  // The address no longer identifies the provider: that is tested above.
  return { ...config, endpoint, nativeUrls, dialect: endpointDialect(config) };
}
