import type { ModelConfig } from "../config/model-config.ts";
import { dialect } from "./dialects/index.ts";
import { boundedFetch } from "./fetch.ts";
import { endpointDialect, providerOf } from "./routing.ts";

/** The context windows of the makers' own models, as published in November 2026. A model that is not listed is not checked. */
const LISTED: Record<"openai" | "anthropic" | "google", Readonly<Record<string, number>>> = {
  openai: {
    "gpt-4o": 128_000,
    "gpt-4o-mini": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-4.1-mini": 1_047_576,
    "gpt-5": 400_000,
    "gpt-5-mini": 400_000,
  },
  anthropic: { "claude-haiku-4-5": 200_000 },
  google: { "gemini-2.5-flash": 1_048_576, "gemini-2.5-pro": 1_048_576 },
};

/** Every model takes as much: for a shorter request the provider is not asked. */
const MIN_WINDOW = 2000;
const TIMEOUT_MS = 3000;
/** How long a list of models is used, also one that could not be had. */
const TTL_MS = 10 * 60_000;
/** OpenRouter lists hundreds of models, with a description each. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * How many tokens a model takes, where that is known: from the table, or from the list of models of the endpoint, which is
 * asked for with the first request that is not short. What cannot be found out is not checked.
 */
export function contextWindows(
  config: ModelConfig,
  fetch: typeof globalThis.fetch = boundedFetch(MAX_BYTES),
  now: () => number = Date.now,
): (model: string, tokens: number) => Promise<number | undefined> {
  let cached: { readonly windows: Promise<ReadonlyMap<string, number>>; readonly until: number } | undefined;
  return async (model, tokens) => {
    if (tokens < MIN_WINDOW) return undefined;
    const provider = providerOf(model, config);
    if (provider === "anthropic" || provider === "google")
      return find(LISTED[provider], model.slice(provider.length + 1));
    if (config.endpoint === undefined) return undefined;
    const name = endpointDialect(config);
    if (name === "openai" || name === "azure") return find(LISTED.openai, model);
    if (cached === undefined || now() > cached.until)
      cached = { windows: fetchWindows(config, fetch), until: now() + TTL_MS };
    return (await cached.windows).get(model);
  };
}

/** Dated snapshots take what their model takes. */
function find(listed: Readonly<Record<string, number>>, model: string): number | undefined {
  const name = model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, "");
  return Object.hasOwn(listed, name) ? listed[name] : undefined;
}

async function fetchWindows(
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): Promise<ReadonlyMap<string, number>> {
  const { url, key } = config.endpoint!;
  const list = new URL(url);
  list.pathname += "/models";
  const header = dialect(endpointDialect(config)).keyHeader;
  const credentials = header === undefined ? { authorization: `Bearer ${key}` } : { [header]: key ?? "" };
  try {
    const response = await fetch(list, {
      headers: key === undefined ? {} : credentials,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
    const body: unknown = await response.json();
    const models = Array.isArray(body) ? body : (body as { data?: unknown } | null)?.data;
    return new Map(Array.isArray(models) ? models.flatMap(windowOf) : []);
  } catch {
    // A provider without such a list is used as before; the provider itself refuses what is too long.
    return new Map();
  }
}

/**
 * Each provider has its own name for it: OpenRouter and Together `context_length`, Groq `context_window`, vLLM
 * `max_model_len`, Mistral and LM Studio `max_context_length`, llama.cpp `meta.n_ctx`.
 */
function windowOf(model: unknown): [string, number][] {
  if (typeof model !== "object" || model === null) return [];
  const { id, meta, ...fields } = model as Readonly<Record<string, unknown>>;
  const found = [
    fields["context_length"],
    fields["context_window"],
    fields["max_model_len"],
    fields["loaded_context_length"],
    fields["max_context_length"],
    (meta as { n_ctx?: unknown } | null | undefined)?.n_ctx,
    (meta as { n_ctx_train?: unknown } | null | undefined)?.n_ctx_train,
  ].find((value) => typeof value === "number" && value >= MIN_WINDOW);
  return typeof id === "string" && typeof found === "number" ? [[id, found]] : [];
}
