import {
  type Model,
  type ModelNames,
  type ModelUsage,
  SIMULATED_MODEL,
  simulatedModel,
} from "@mci-ts/council";
import { ConfigError } from "../config/config.ts";
import type { ModelConfig } from "../config/model-config.ts";
import type { ProtocolName } from "../protocols/protocol-name.ts";
import { Capabilities } from "./capabilities.ts";
import { capabilityFile } from "./capability-file.ts";
import { contextWindows } from "./context-windows.ts";
import { detectLocal, LOCAL_SERVERS, type LocalServer } from "./detect-local.ts";
import { dialect, isPrivateHost } from "./dialects/index.ts";
import { redactKeys, replyRedactor } from "./errors/redact.ts";
import type { LimitedRun, Limiter } from "./limiter.ts";
import { priceOf } from "./prices.ts";
import { endpointDialect, hostOf, providerOf, whyUnavailable } from "./routing.ts";

/** The models of this service. */
export interface Models {
  /** The model as one run uses it: runs take turns, and wait for a busy provider as long as they have time. */
  readonly forRun: (run: LimitedRun) => Model;
  readonly names: ModelNames;
  readonly simulated: boolean;
  /** Where the models are, in words for people. */
  readonly description: string;
  /** Cost of a call in US dollars, where it is known. */
  readonly price: (model: string, usage: ModelUsage) => number | undefined;
  /** Tokens that a request and its reply may have together, where it is known. `tokens`: of the request. */
  readonly contextWindow: (model: string, tokens: number) => Promise<number | undefined>;
  /** Whether the model is served by this machine or in a private network. */
  readonly isLocal: (model: string) => boolean;
  /** Why a model id cannot be used, or undefined when it can. */
  readonly refuse: (id: string) => string | undefined;
  /** Calls that may be in flight, by provider; those that were not asked yet are left out. */
  readonly callLimits: () => ReadonlyMap<string, number>;
  /** Whether the provider of a model speaks an agent's protocol itself. */
  readonly speaks: (id: string, protocol: ProtocolName) => boolean;
  /** A text without our keys, for what is stored of calls. */
  readonly redact: (text: string) => string;
  /** Who serves a model; traces have it. */
  readonly providerName: (id: string) => string;
}

/** The configured provider; or a local model server; or, said plainly everywhere, the simulated model. */
export async function openModels(
  config: ModelConfig,
  detect: typeof detectLocal = detectLocal,
): Promise<Models> {
  const { names, endpoint, anthropicKey, googleKey } = config;
  if (names && (endpoint ?? anthropicKey ?? googleKey) !== undefined) {
    const host = hostOf(names.judge, config);
    const isEndpoint = providerOf(names.judge, config) === "endpoint";
    return provided(
      config,
      names.voters,
      names.judge,
      isEndpoint ? `${endpoint!.url}${titleOf(config)}` : host,
    );
  }
  const local = config.detectLocal ? await detect() : undefined;
  if (local) return onLocalServer(config, local);
  if (!names) return simulated(config.detectLocal);
  throw new ConfigError([
    `MAKER_API_MODEL names ${names.voters.join(", ")}, but there is no one to ask: set MAKER_API_URL or MAKER_API_KEY, or start a local model server`,
  ]);
}

/** Says which provider was recognised behind the address, where one was. */
function titleOf(config: ModelConfig): string {
  const { name, title } = dialect(endpointDialect(config));
  return name === "generic" ? "" : `, ${title}`;
}

function onLocalServer(config: ModelConfig, { name, url, models }: LocalServer): Promise<Models> {
  const [first, ...rest] = models;
  const { voters, judge } = config.names ?? { voters: [first] as const, judge: first };
  const hint =
    config.names || rest.length === 0 ? "" : `, ${rest.length} more there; choose with MAKER_API_MODEL`;
  return provided({ ...config, endpoint: { url } }, voters, judge, `${name} at ${url}${hint}`);
}

async function provided(
  config: ModelConfig,
  voters: readonly [string, ...string[]],
  judge: string,
  where: string,
): Promise<Models> {
  const secrets = [config.endpoint?.key, config.anthropicKey, config.googleKey].filter(
    (key) => key !== undefined,
  );
  const named = [
    ...voters,
    judge,
    ...(config.helper === undefined ? [] : [config.helper]),
    ...config.fallbacks,
  ];
  const problems = new Set(
    named.map((id) => whyUnavailable(id, config)).filter((problem) => problem !== undefined),
  );
  if (problems.size > 0) throw new ConfigError([...problems]);
  // The SDK takes a while to load: only where there is a provider.
  const [{ providerModel }, { modelResolver }] = await Promise.all([
    import("./provider-model.ts"),
    import("./sdk.ts"),
  ]);
  const limiters = new Map<string, Limiter>();
  const endpointName = config.endpoint && new URL(config.endpoint.url).hostname;
  const isLocalEndpoint = endpointName !== undefined && isPrivateHost(endpointName);
  const options = {
    resolve: modelResolver(config, limiters),
    capabilities: new Capabilities({
      structured: config.structured,
      ...(config.capabilitiesFile === undefined ? {} : capabilityFile(config.capabilitiesFile)),
    }),
    callTimeoutMs: config.callTimeoutMs,
    secrets,
    redact: replyRedactor(secrets),
  };
  return {
    forRun: (run) => providerModel(options, run),
    names: {
      voter: voters[0],
      seats: voters,
      judge,
      helper: config.helper,
      fallbacks: config.fallbacks,
    },
    simulated: false,
    description: describe(voters, judge, where, config),
    price: priceOf(config),
    contextWindow: contextWindows(config),
    isLocal: (id) => isLocalEndpoint && providerOf(id, config) === "endpoint",
    refuse: (id) => whyUnavailable(id, config),
    speaks: (id, protocol) => options.resolve(id).wires[protocol] !== undefined,
    redact: (text) => redactKeys(text, secrets),
    callLimits: () => new Map([...limiters].map(([provider, { limit }]) => [provider, limit])),
    providerName: (id) => {
      const provider = providerOf(id, config);
      return provider === "endpoint" ? endpointName! : (provider ?? "none");
    },
  };
}

/** Which model is asked where: the host that is really called, per model where they differ. */
function describe(voters: readonly string[], judge: string, where: string, config: ModelConfig): string {
  const hosts = new Set([...voters, judge].map((id) => hostOf(id, config)));
  const at = (id: string) => (hosts.size > 1 ? `${id} at ${hostOf(id, config)}` : id);
  const judged = judge === voters[0] ? "" : `, judged by ${at(judge)}`;
  return `${voters.map(at).join(", ")}${judged}${hosts.size > 1 ? "" : ` (${where})`}`;
}

function simulated(looked: boolean): Models {
  const model = simulatedModel();
  const around = looked
    ? `${LOCAL_SERVERS.map(({ name }) => name).join(" and ")} do not answer`
    : "no local model server was looked for";
  return {
    forRun: () => model,
    names: { voter: SIMULATED_MODEL },
    simulated: true,
    description: `simulated (no provider is set; ${around})`,
    price: () => 0,
    contextWindow: async () => undefined,
    isLocal: () => false,
    refuse: () => undefined,
    speaks: () => false,
    redact: (text) => text,
    callLimits: () => new Map(),
    providerName: () => SIMULATED_MODEL,
  };
}
