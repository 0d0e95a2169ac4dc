/** The service as an agent's model, in a process of its own: `agent-service.ts DIALECT PROVIDER-URL`. */
import { readConfig } from "../../packages/council-server/src/config/config.ts";
import { serve } from "../../packages/council-server/src/server.ts";

const [dialect = "openai", provider = ""] = process.argv.slice(2);
const models: Readonly<Record<string, Record<string, string>>> = {
  openai: { MAKER_API_URL: provider, MAKER_API_KEY: "key", MAKER_API_MODEL: "gpt-4o", MCI_DIALECT: "openai" },
  anthropic: { ANTHROPIC_API_KEY: "key", MAKER_API_MODEL: "anthropic/claude-sonnet-5-5" },
};
const config = readConfig({
  ...{ PORT: "0", MCI_DETECT_LOCAL: "0", MCI_RATE_LIMIT: "0" },
  ...models[dialect],
  ...process.env,
} as Record<string, string>);
const server = await serve(
  { ...config, models: { ...config.models, nativeUrls: { anthropic: provider } } },
  { log: (message) => console.error(message) },
);
console.log(`is listening on ${server.url}`);
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
