import { isLoopback, type ModelConfig } from "../config/config.ts";

export type Provider = "anthropic" | "google" | "endpoint";
export type Keys = Pick<ModelConfig, "endpoint" | "anthropicKey" | "googleKey">;

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
export const ANTHROPIC_URL = "https://api.anthropic.com/v1";
export const GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta";
