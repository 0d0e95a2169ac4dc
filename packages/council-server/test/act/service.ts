import { cleanUpAfterTest } from "../../../../test/clean-up/clean-up.ts";
import {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
} from "../../../fake-provider/src/server.ts";
import { readConfig } from "../../src/config/config.ts";
import { serve } from "../../src/server.ts";

const open: { close(): Promise<void> }[] = [];
cleanUpAfterTest(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** The service with a provider of one of the native dialects, or of one that OpenAI-compatible endpoints speak. */
export async function startAgentService(
  dialect: "anthropic" | "google" | "openai",
  options: FakeProviderOptions = {},
  env: Record<string, string> = {},
): Promise<{ provider: FakeProvider; url: string }> {
  const provider = await startFakeProvider({ recordBodies: true, key: "provider-key", ...options, dialect });
  open.push(provider);
  const keys = {
    anthropic: { ANTHROPIC_API_KEY: "provider-key", MAKER_API_MODEL: "anthropic/claude-sonnet-5-5" },
    google: { GOOGLE_GENERATIVE_AI_API_KEY: "provider-key", MAKER_API_MODEL: "google/gemini-2.5-flash" },
    openai: {
      MAKER_API_URL: provider.url,
      MAKER_API_KEY: "provider-key",
      MAKER_API_MODEL: "gpt-5-mini",
      MCI_DIALECT: "openai",
    },
  };
  const config = readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", ...keys[dialect], ...env });
  const models = { ...config.models, nativeUrls: { anthropic: provider.url, google: provider.url } };
  const server = await serve({ ...config, models }, { log: () => {} });
  open.push(server);
  return { provider, url: server.url };
}
