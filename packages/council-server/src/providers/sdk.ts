import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ModelError } from "@mci-ts/council";
import type { Endpoint, ModelConfig } from "../config/model-config.ts";
import type { ProtocolName } from "../protocols/protocol.ts";
import type { Headers } from "./dialects/dialect.ts";
import { type DialectName, dialect, dialectOfResponse, type FullDialect } from "./dialects/index.ts";
import { boundedFetch } from "./fetch.ts";
import { ENDPOINT, type LanguageModel, type Wire } from "./language-model.ts";
import { Limiter } from "./limiter.ts";
import { plainChat, replayingFetch } from "./plain-chat.ts";
import { ANTHROPIC_URL, endpointDialect, GOOGLE_URL, providerOf, whyUnavailable } from "./routing.ts";

/** Where the calls of one model id go. */
export interface Target {
  readonly model: LanguageModel;
  /** One call for text, without what tools and files would need. */
  readonly generate: LanguageModel["doGenerate"];
  readonly dialect: FullDialect;
  /** Under which name the endpoint and its model are remembered. */
  readonly key: string;
  /** Shared by all models of one provider and key. */
  readonly limiter: Limiter;
  /** The protocols it speaks itself, so that a request in one of them needs no translation. */
  readonly wires: Readonly<Partial<Record<ProtocolName, Wire>>>;
  /** A response may give away which provider it is. */
  recognise(headers: Headers, body: unknown): void;
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
    const model = make(name);
    return {
      model,
      generate: (options) => model.doGenerate(options),
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
      fetch: replayingFetch(chatUrl ? (_, init) => fetch(chatUrl(base, id), init) : fetch),
    });
    const root = `${base.origin}${base.pathname.replace(/\/$/, "")}`;
    const headers: Record<string, string> =
      key === undefined
        ? {}
        : keyHeader === undefined
          ? { authorization: `Bearer ${key}` }
          : { [keyHeader]: key };
    const wire = (url: string): Wire => ({ url, headers, model: id, fetch });
    const model = provider.chatModel(id);
    const chat = wire(chatUrl ? chatUrl(base, id) : `${root}/chat/completions${base.search}`);
    return {
      model,
      generate: plainChat(model, chat),
      get dialect() {
        return spoken;
      },
      wires: {
        chat,
        ...(spoken.responses?.(base) ? { responses: wire(`${root}/responses${base.search}`) } : {}),
      },
      key: `${base.host} ${id}`,
      limiter,
      recognise(headers, body) {
        if (!mayChange || spoken.name !== "generic") return;
        const found = dialectOfResponse(headers, body);
        if (found) spoken = dialect(found);
      },
    };
  };
}
