import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible, type OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import { ModelError } from "@mci-ts/council";
import type { ModelConfig } from "../config/config.ts";
import { boundedFetch } from "./fetch.ts";
import { ANTHROPIC_URL, GOOGLE_URL, providerOf, refusal } from "./routing.ts";

/** The endpoint's name within the SDK, under which options reach it. */
export const ENDPOINT = "endpoint";

/** What every provider package of the SDK makes: one method that makes one call. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;

/** Model ids to the SDK's models. `anthropic/…` and `google/…` go to their makers where a key is set, all else to the endpoint. */
export function modelResolver(config: ModelConfig): (id: string) => LanguageModel {
  const fetch = boundedFetch();
  const anthropic =
    config.anthropicKey === undefined
      ? undefined
      : createAnthropic({ apiKey: config.anthropicKey, baseURL: ANTHROPIC_URL, fetch });
  const google =
    config.googleKey === undefined
      ? undefined
      : createGoogle({ apiKey: config.googleKey, baseURL: GOOGLE_URL, fetch });
  const endpoint =
    config.endpoint &&
    createOpenAICompatible({
      name: ENDPOINT,
      baseURL: config.endpoint.url,
      apiKey: config.endpoint.key,
      supportsStructuredOutputs: true,
      fetch,
    });
  const make = (id: string): LanguageModel => {
    const provider = providerOf(id, config);
    if (provider === "anthropic" && anthropic) return anthropic(id.slice("anthropic/".length));
    if (provider === "google" && google) return google(id.slice("google/".length));
    if (provider === "endpoint" && endpoint) return endpoint.chatModel(id);
    throw new ModelError(refusal(id, config) ?? id, { retryable: false });
  };

  // The SDK builds its schemas anew with every model; requests may name any, so only so many are kept.
  const kept = new Map<string, LanguageModel>();
  return (id) => {
    const model = kept.get(id) ?? make(id);
    if (kept.size < MAX_KEPT) kept.set(id, model);
    return model;
  };
}

const MAX_KEPT = 64;
