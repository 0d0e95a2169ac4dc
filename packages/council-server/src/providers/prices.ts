import { readFileSync } from "node:fs";
import type { ModelUsage } from "@mci-ts/council";
import { z } from "zod";
import { ConfigError } from "../config/config.ts";
import type { ModelConfig } from "../config/model-config.ts";
import { providerOf } from "./routing.ts";

/** US dollars per million tokens. */
const Price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });
type Price = z.output<typeof Price>;

/**
 * List prices of the makers' own endpoints, standard tier, as published in November 2026. Prices move and discounts (cached
 * input, batches, long prompts) are not modelled, so treat the sums as estimates and lay your own over them with MCI_PRICES.
 * A model that is not listed costs "unknown", never zero.
 */
const LISTED: Record<"openai" | "anthropic" | "google", Readonly<Record<string, Price>>> = {
  openai: {
    "gpt-4o": { input: 2.5, output: 10 },
    "gpt-4o-mini": { input: 0.15, output: 0.6 },
    "gpt-4.1": { input: 2, output: 8 },
    "gpt-5-mini": { input: 0.25, output: 2 },
  },
  anthropic: {
    "claude-haiku-4-5": { input: 1, output: 5 },
    "claude-sonnet-5-5": { input: 2, output: 10 },
    "claude-opus-5": { input: 5, output: 25 },
    "claude-opus-5-5": { input: 4, output: 20 },
  },
  google: {
    "gemini-2.5-flash": { input: 0.3, output: 2.5 },
  },
};

/**
 * The cost of a call, where it is known: not where the provider did not count. Listed prices apply
 * only at the maker's own endpoint: elsewhere others are charged.
 */
export function priceOf(config: ModelConfig): (model: string, usage: ModelUsage) => number | undefined {
  const own = config.pricesFile === undefined ? {} : readPrices(config.pricesFile);
  const atOpenAI =
    config.endpoint !== undefined && new URL(config.endpoint.url).hostname === "api.openai.com";
  return (model, { inputTokens, outputTokens }) => {
    const price = Object.hasOwn(own, model) ? own[model] : listed(model, config, atOpenAI);
    const isCounted = inputTokens + outputTokens > 0;
    if (price === undefined || (!isCounted && price.input + price.output > 0)) return undefined;
    return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  };
}

function listed(model: string, config: ModelConfig, atOpenAI: boolean): Price | undefined {
  const provider = providerOf(model, config);
  if (provider === "anthropic" || provider === "google")
    return find(LISTED[provider], model.slice(provider.length + 1));
  return provider === "endpoint" && atOpenAI ? find(LISTED.openai, model) : undefined;
}

/** Dated snapshots cost what their model costs: gpt-4o-2024-11-20, claude-haiku-4-5-20251001. */
function find(prices: Readonly<Record<string, Price>>, model: string): Price | undefined {
  const name = model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, "");
  return Object.hasOwn(prices, name) ? prices[name] : undefined;
}

function readPrices(file: string): Record<string, Price> {
  try {
    return z.record(z.string(), Price).parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConfigError([
      `MCI_PRICES names a file; ${file} must be one that holds a JSON object such as {"my-model": {"input": 1, "output": 2}}, in dollars per million tokens: ${reason}`,
    ]);
  }
}
