import { type CouncilOptions, type CouncilRequest, type CouncilResult, runCouncil } from "@mci-ts/council";
import { DIALECT_NAMES as FAKE_DIALECT_NAMES } from "../../../fake-provider/src/dialects/index.ts";
import {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
} from "../../../fake-provider/src/server.ts";
import { readConfig } from "../../src/config/config.ts";
import type { DialectName } from "../../src/providers/dialects/index.ts";
import { openModels } from "../../src/providers/models.ts";

/** A model of each provider that refuses as much as the provider ever does, and how it is addressed. */
const MODELS: Partial<Record<DialectName, { readonly model: string; readonly path?: string }>> = {
  openai: { model: "gpt-5-mini" },
  azure: { model: "gpt-5-mini", path: "/openai?api-version=2024-10-21" },
  anthropic: { model: "anthropic/claude-opus-4-5" },
  google: { model: "google/gemma-3-27b-it" },
  openrouter: { model: "meta-llama/llama-3.3-70b-instruct" },
  groq: { model: "llama-3.3-70b-versatile" },
  together: { model: "mistralai/mixtral-8x7b" },
  deepseek: { model: "deepseek-chat" },
  mistral: { model: "mistral-large-latest" },
  xai: { model: "grok-4" },
  vllm: { model: "google/gemma-2-9b-it" },
  llamacpp: { model: "gemma-2-9b" },
  ollama: { model: "qwen3" },
  lmstudio: { model: "openai/gpt-oss-20b" },
};

/** A dialect whose refusals are not simulated is tested against plain chat completions. */
export const fakeDialect = (name: DialectName) =>
  FAKE_DIALECT_NAMES.find((simulated) => simulated === name) ?? "generic";

export interface Endpoint {
  readonly provider: FakeProvider;
  readonly run: (request: CouncilRequest, more?: Partial<CouncilOptions>) => Promise<CouncilResult>;
}

/** The settings with which a service asks a provider of this dialect; its key is "secret-key". */
export function endpointOf(dialect: DialectName, providerUrl: string) {
  const { model, path = "/v1" } = MODELS[dialect] ?? { model: "any" };
  const url = new URL(path, providerUrl).href;
  const native = dialect === "anthropic" || dialect === "google";
  const env: Record<string, string> = {
    MAKER_API_MODEL: model,
    ...(dialect === "anthropic" ? { ANTHROPIC_API_KEY: "secret-key" } : {}),
    ...(dialect === "google" ? { GOOGLE_GENERATIVE_AI_API_KEY: "secret-key" } : {}),
    ...(native ? {} : { MAKER_API_URL: url, MAKER_API_KEY: "secret-key", MCI_DIALECT: dialect }),
  };
  return { env, nativeUrls: native ? { [dialect]: url } : undefined };
}

/** A fake provider of a dialect, and the engine asking it over HTTP through the adapter. */
export async function openEndpoint(
  dialect: DialectName,
  options: FakeProviderOptions = {},
): Promise<Endpoint> {
  const provider = await startFakeProvider({ key: "secret-key", ...options, dialect: fakeDialect(dialect) });
  const { env, nativeUrls } = endpointOf(dialect, provider.url);
  const { models: config } = readConfig(env);
  const models = await openModels(nativeUrls ? { ...config, nativeUrls } : config);
  return {
    provider,
    run: (request, more = {}) =>
      runCouncil(request, {
        ...more,
        model: models.forRun({ deadlineAt: performance.now() + 15_000 }),
        models: models.names,
        budget: { deadline_ms: 15_000, max_calls: 100 },
      }),
  };
}
