import { readConfig } from "../../src/config/config.ts";
import { serve } from "../../src/server.ts";
import { type ProviderDialect, TOKEN } from "./agents.ts";

export const DIALECTS: readonly ProviderDialect[] = ["openai", "anthropic", "generic"];

/** The service with a provider that speaks one of the protocols of agents, or only chat completions. */
export async function startService(dialect: ProviderDialect, providerUrl: string) {
  const models = {
    openai: {
      MAKER_API_URL: providerUrl,
      MAKER_API_KEY: "provider-key",
      MAKER_API_MODEL: "gpt-5-mini",
      MCI_DIALECT: "openai",
    },
    anthropic: { ANTHROPIC_API_KEY: "provider-key", MAKER_API_MODEL: "anthropic/claude-sonnet-5-5" },
    generic: { MAKER_API_URL: providerUrl, MAKER_API_KEY: "provider-key", MAKER_API_MODEL: "scripted" },
  }[dialect];
  const config = readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", MCI_TOKEN: TOKEN, ...models });
  const nativeUrls = { anthropic: providerUrl };
  return serve({ ...config, models: { ...config.models, nativeUrls } }, { log: () => {} });
}
