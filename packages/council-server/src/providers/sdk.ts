import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible, type OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import { ModelError } from "@mci-ts/council";
import type { Endpoint, ModelConfig } from "../config/model-config.ts";
import type { ProtocolName } from "../protocols/protocol.ts";
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
  /** The protocols it speaks itself, so that a request in one of them needs no translation. */
  readonly wires: Readonly<Partial<Record<ProtocolName, Wire>>>;
  /** A response may give away which provider it is. */
  recognise(response: { headers?: Readonly<Record<string, string>>; body?: unknown } | undefined): void;
}

/** Where requests of one protocol go as they are. */
export interface Wire {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The model's name there. */
  readonly model: string;
  readonly fetch: typeof fetch;
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
  const fetch = boundedFetch();
  const provider = createAnthropic({ apiKey, baseURL, fetch });
  const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  return nativeTargets(
    dialect("anthropic"),
    limiter,
    (name) => provider(name),
    (model) => ({ messages: { url: `${baseURL}/messages`, headers, model, fetch } }),
  );
}

function googleTargets(apiKey: string, limiter: Limiter, baseURL = GOOGLE_URL): (id: string) => Target {
  const provider = createGoogle({ apiKey, baseURL, fetch: boundedFetch() });
  return nativeTargets(dialect("google"), limiter, (name) => provider(name));
}

function nativeTargets(
  spoken: FullDialect,
  limiter: Limiter,
  make: (name: string) => LanguageModel,
  wires: (name: string) => Target["wires"] = () => ({}),
): (id: string) => Target {
  return (id) => {
    const name = id.slice(spoken.name.length + 1);
    return {
      model: make(name),
      dialect: spoken,
      key: id,
      limiter,
      wires: wires(name),
      recognise: () => undefined,
    };
  };
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
    const root = `${base.origin}${base.pathname.replace(/\/$/, "")}`;
    const headers: Record<string, string> =
      key === undefined
        ? {}
        : keyHeader === undefined
          ? { authorization: `Bearer ${key}` }
          : { [keyHeader]: key };
    const wire = (url: string): Wire => ({ url, headers, model: id, fetch });
    return {
      model: provider.chatModel(id),
      get dialect() {
        return spoken;
      },
      wires: {
        chat: wire(chatUrl ? chatUrl(base, id) : `${root}/chat/completions${base.search}`),
        ...(spoken.responses?.(base) ? { responses: wire(`${root}/responses${base.search}`) } : {}),
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
