import {
  type Model,
  type ModelNames,
  type ModelUsage,
  SIMULATED_MODEL,
  simulatedModel,
} from "@mci-ts/council";
import { ConfigError, type ModelConfig } from "../config/config.ts";
import { Capabilities } from "./capabilities.ts";
import { detectLocal, LOCAL_SERVERS, type LocalServer } from "./detect-local.ts";
import { priceOf } from "./prices.ts";
import { providerOf, refusal } from "./routing.ts";

/** The models of this service, whoever serves them. */
export interface Models {
  readonly model: Model;
  readonly names: ModelNames;
  readonly simulated: boolean;
  /** Where the models are, in words for people. */
  readonly description: string;
  /** Cost of a call in US dollars, where it is known. */
  readonly price: (model: string, usage: ModelUsage) => number | undefined;
  /** Why a model id cannot be used, or undefined when it can. */
  readonly refuse: (id: string) => string | undefined;
  /** For traces: who serves a model. */
  readonly providerName: (id: string) => string;
}

/** The configured provider; or a local model server; or, said plainly everywhere, the simulated model. */
export async function openModels(
  config: ModelConfig,
  detect: typeof detectLocal = detectLocal,
): Promise<Models> {
  const { names, endpoint, anthropicKey, googleKey } = config;
  if (names && (endpoint ?? anthropicKey ?? googleKey) !== undefined) {
    return provided(config, names.voters, names.judge, endpoint?.url ?? "native providers");
  }
  const local = config.detectLocal ? await detect() : undefined;
  if (local) return onLocalServer(config, local);
  if (!names) return simulated(config.detectLocal);
  throw new ConfigError([
    `MAKER_API_MODEL names ${names.voters.join(", ")}, but there is no one to ask: set MAKER_API_URL or MAKER_API_KEY, or start a local model server`,
  ]);
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
  const problems = new Set(named.map((id) => refusal(id, config)).filter((problem) => problem !== undefined));
  if (problems.size > 0) throw new ConfigError([...problems]);
  // The SDK takes a while to load: only where there is somebody to ask.
  const [{ providerModel }, { modelResolver }] = await Promise.all([
    import("./provider-model.ts"),
    import("./sdk.ts"),
  ]);
  return {
    model: providerModel({
      resolve: modelResolver(config),
      capabilities: new Capabilities(config.structured),
      callTimeoutMs: config.callTimeoutMs,
      secrets,
    }),
    names: {
      voter: voters[0],
      seats: voters,
      judge,
      helper: config.helper,
      fallbacks: config.fallbacks,
    },
    simulated: false,
    description: `${voters.join(", ")}${judge === voters[0] ? "" : `, judged by ${judge}`} (${where})`,
    price: priceOf(config),
    refuse: (id) => refusal(id, config),
    providerName: (id) => {
      const provider = providerOf(id, config);
      return provider === "endpoint" ? new URL(config.endpoint!.url).hostname : (provider ?? "none");
    },
  };
}

function simulated(looked: boolean): Models {
  const around = looked
    ? `${LOCAL_SERVERS.map(({ name }) => name).join(" and ")} do not answer`
    : "no local model server was looked for";
  return {
    model: simulatedModel(),
    names: { voter: SIMULATED_MODEL },
    simulated: true,
    description: `simulated (no provider is set; ${around})`,
    price: () => 0,
    refuse: () => undefined,
    providerName: () => SIMULATED_MODEL,
  };
}
