import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible, type OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import { ModelError } from "@mci-ts/council";
import type { Endpoint, ModelConfig } from "../config/config.ts";
import { type DialectName, dialect, dialectOfResponse, type FullDialect } from "./dialects/index.ts";
import { boundedFetch } from "./fetch.ts";
import { Limiter } from "./limiter.ts";
import { ANTHROPIC_URL, endpointDialect, GOOGLE_URL, providerOf, whyUnavailable } from "./routing.ts";

/** The endpoint's name within the SDK, under which options reach it. */
export const ENDPOINT = "endpoint";

/** What every provider package of the SDK makes: one method that makes one call. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;

/** Where the calls of one model id go. */
export interface Target {
  readonly model: LanguageModel;
  readonly dialect: FullDialect;
  /** Under which name the endpoint and its model are remembered. */
  readonly key: string;
  /** Shared by all models of one provider and key. */
  readonly limiter: Limiter;
  /** A response may give away which provider it is. */
  recognise(response: { headers?: Readonly<Record<string, string>>; body?: unknown } | undefined): void;
}

/** Model ids to where they are served. Each provider has a limiter, which is added to `limiters` with its first call. */
export function modelResolver(
  config: ModelConfig,
  limiters: Map<string, Limiter> = new Map(),
): (id: string) => Target {
  const limiterOf = (provider: string) => {
    const limiter = new Limiter();
    limiters.set(provider, limiter);
    return limiter;
  };
  const makers = {
    anthropic: () =>
      anthropicTargets(config.anthropicKey!, limiterOf("anthropic"), config.nativeUrls?.anthropic),
    google: () => googleTargets(config.googleKey!, limiterOf("google"), config.nativeUrls?.google),
    endpoint: () => {
      const limiter = limiterOf(new URL(config.endpoint!.url).hostname);
      return endpointTargets(
        config.endpoint!,
        limiter,
        endpointDialect(config),
        config.dialect === undefined,
      );
    },
  };
  const providers: Partial<Record<keyof typeof makers, (id: string) => Target>> = {};
  // The SDK builds its schemas again for every model; requests may name any, so the number of cached ones is bounded.
  const cached = new Map<string, Target>();
  return (id) => {
    const existing = cached.get(id);
    if (existing) return existing;
    const provider = providerOf(id, config);
    if (provider === undefined) throw new ModelError(whyUnavailable(id, config) ?? id, { retryable: false });
    providers[provider] ??= makers[provider]();
    const target = providers[provider](id);
    if (cached.size < MAX_CACHED) cached.set(id, target);
    return target;
  };
}

const MAX_CACHED = 64;

function anthropicTargets(apiKey: string, limiter: Limiter, baseURL = ANTHROPIC_URL): (id: string) => Target {
  const provider = createAnthropic({ apiKey, baseURL, fetch: boundedFetch() });
  return nativeTargets(dialect("anthropic"), limiter, (name) => provider(name));
}

function googleTargets(apiKey: string, limiter: Limiter, baseURL = GOOGLE_URL): (id: string) => Target {
  const provider = createGoogle({ apiKey, baseURL, fetch: boundedFetch() });
  return nativeTargets(dialect("google"), limiter, (name) => provider(name));
}

function nativeTargets(
  spoken: FullDialect,
  limiter: Limiter,
  make: (name: string) => LanguageModel,
): (id: string) => Target {
  return (id) => ({
    model: make(id.slice(spoken.name.length + 1)),
    dialect: spoken,
    key: id,
    limiter,
    recognise: () => undefined,
  });
}

function endpointTargets(
  { url, key }: Endpoint,
  limiter: Limiter,
  name: DialectName,
  mayChange: boolean,
): (id: string) => Target {
  const base = new URL(url);
  const fetch = boundedFetch();
  let spoken = dialect(name);
  return (id) => {
    const { keyHeader, chatUrl } = spoken;
    const provider = createOpenAICompatible({
      name: ENDPOINT,
      baseURL: `${base.origin}${base.pathname}`,
      ...(base.search === "" ? {} : { queryParams: Object.fromEntries(base.searchParams) }),
      ...(key === undefined || keyHeader !== undefined ? {} : { apiKey: key }),
      ...(key === undefined || keyHeader === undefined ? {} : { headers: { [keyHeader]: key } }),
      supportsStructuredOutputs: true,
      fetch: chatUrl ? (_, init) => fetch(chatUrl(base, id), init) : fetch,
    });
    return {
      model: provider.chatModel(id),
      get dialect() {
        return spoken;
      },
      key: `${base.host} ${id}`,
      limiter,
      recognise(response) {
        if (!mayChange || spoken.name !== "generic" || !response) return;
        const found = dialectOfResponse(new Map(Object.entries(response.headers ?? {})), response.body);
        if (found) spoken = dialect(found);
      },
    };
  };
}
