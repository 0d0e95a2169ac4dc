import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible, type OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import { ModelError } from "@mci-ts/council";
import { isLoopback, type ModelConfig } from "../config.ts";
import { boundedFetch } from "./bounded-fetch.ts";

/** The endpoint's name within the SDK, under which options reach it. */
export const ENDPOINT = "endpoint";

export type Provider = "anthropic" | "google" | "endpoint";
export type Keys = Pick<ModelConfig, "endpoint" | "anthropicKey" | "googleKey">;

/** What every provider package of the SDK makes: one method that makes one call. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;

/** Who serves a model id; undefined when nobody does. */
export function providerOf(id: string, config: Keys): Provider | undefined {
  if (id.startsWith("anthropic/") && config.anthropicKey !== undefined) return "anthropic";
  if (id.startsWith("google/") && config.googleKey !== undefined) return "google";
  return config.endpoint && "endpoint";
}

/** Why nobody serves a model id, and what to do about it; undefined when somebody does. */
export function refusal(id: string, config: Keys): string | undefined {
  if (providerOf(id, config)) return undefined;
  const setting = id.startsWith("anthropic/")
    ? "ANTHROPIC_API_KEY"
    : id.startsWith("google/")
      ? "GOOGLE_GENERATIVE_AI_API_KEY"
      : "MAKER_API_URL";
  return `no provider serves "${id}": ${setting} is not set`;
}

/** Where each key goes, in words for people; never the key itself. */
export function keyDestinations({ endpoint, anthropicKey, googleKey }: Keys): readonly string[] {
  const to = (setting: string, url: string) => {
    const { protocol, host, hostname } = new URL(url);
    const plain = protocol === "http:" && !isLoopback(hostname) ? ", unencrypted (http)" : "";
    return `${setting} goes to ${host}${plain}`;
  };
  return [
    ...(endpoint?.keySetting === undefined ? [] : [to(endpoint.keySetting, endpoint.url)]),
    ...(anthropicKey === undefined ? [] : [to("ANTHROPIC_API_KEY", ANTHROPIC_URL)]),
    ...(googleKey === undefined ? [] : [to("GOOGLE_GENERATIVE_AI_API_KEY", GOOGLE_URL)]),
  ];
}

// Said here rather than left to the SDK, which would look for another address in variables that are no settings of ours.
const ANTHROPIC_URL = "https://api.anthropic.com/v1";
const GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta";

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
