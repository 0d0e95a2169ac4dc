import { isLoopback } from "@mci-ts/http-guard";
import type { ModelConfig } from "../config/model-config.ts";
import { type DialectName, dialect, dialectOf } from "./dialects/index.ts";

export type Provider = "anthropic" | "google" | "endpoint";
export type Keys = Pick<ModelConfig, "endpoint" | "anthropicKey" | "googleKey" | "dialect">;

/**
 * Where the calls of a model id go; undefined when nowhere. The rule, in this order:
 * 1. The endpoint is a router whose own ids name their maker (OpenRouter): every id goes there.
 * 2. `anthropic/…` goes to Anthropic where ANTHROPIC_API_KEY is set, `google/…` to Google likewise.
 * 3. Everything else goes to the endpoint.
 */
export function providerOf(id: string, config: Keys): Provider | undefined {
  if (config.endpoint && dialect(endpointDialect(config)).vendorPrefixedIds) return "endpoint";
  if (id.startsWith("anthropic/") && config.anthropicKey !== undefined) return "anthropic";
  if (id.startsWith("google/") && config.googleKey !== undefined) return "google";
  return config.endpoint && "endpoint";
}

/** The dialect of the endpoint: the setting, or what its address tells. */
export function endpointDialect({ endpoint, dialect: set }: Keys): DialectName {
  if (set !== undefined || !endpoint) return set ?? "generic";
  const name = recognized.get(endpoint) ?? dialectOf(new URL(endpoint.url));
  recognized.set(endpoint, name);
  return name;
}

/** Every call of a model asks, several times. */
const recognized = new WeakMap<NonNullable<Keys["endpoint"]>, DialectName>();

/** The host that a model's calls go to. */
export function hostOf(id: string, config: Keys): string {
  const urls = { anthropic: ANTHROPIC_URL, google: GOOGLE_URL, endpoint: config.endpoint?.url };
  const url = urls[providerOf(id, config) ?? "endpoint"];
  return url === undefined ? "nowhere" : new URL(url).host;
}

/** Why a model id cannot be used, and what to do about it; undefined when it can. */
export function whyUnavailable(id: string, config: Keys): string | undefined {
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

// Said here rather than left to the SDK, which would look for another address in variables that are not settings of ours.
export const ANTHROPIC_URL = "https://api.anthropic.com/v1";
export const GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta";
