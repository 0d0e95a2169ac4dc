import { join } from "node:path";
import { isLoopback } from "@mci-ts/http-guard";
import type { DialectName } from "../providers/dialects/index.ts";
import { portOf, type Settings } from "./settings.ts";

export interface ModelConfig {
  /** An OpenAI-compatible endpoint. */
  readonly endpoint?: Endpoint;
  readonly anthropicKey?: string;
  readonly googleKey?: string;
  /** Where the makers' own APIs are. Not a setting: tests point them at a fake provider. */
  readonly nativeUrls?: { readonly anthropic?: string; readonly google?: string };
  /** Whether to look for a local model server when no provider is configured. */
  readonly detectLocal: boolean;
  /** undefined: the local model server's model, or the simulated model when there is none. */
  readonly names?: { readonly voters: readonly [string, ...string[]]; readonly judge: string };
  readonly helper?: string;
  readonly fallbacks: readonly string[];
  readonly callTimeoutMs: number;
  readonly structured: "auto" | "schema" | "text";
  /** The provider behind the endpoint. undefined: recognised by host, port or response. */
  readonly dialect?: DialectName;
  /** Where to remember what each model accepts. undefined: until the process ends. */
  readonly capabilitiesFile?: string;
  /** A JSON file with prices. */
  readonly pricesFile?: string;
}

export interface Endpoint {
  readonly url: string;
  readonly key?: string;
  /** The setting that holds the key. */
  readonly keySetting?: "MAKER_API_KEY" | "OPENAI_API_KEY";
}

/** Which models the settings name, and where they are. */
export function readModelConfig(settings: Settings, problems: string[]): ModelConfig {
  const key = settings.MAKER_API_KEY ?? settings.OPENAI_API_KEY;
  const url =
    settings.MAKER_API_URL ??
    settings.MAKER_BASE_URL ??
    settings.OPENAI_BASE_URL ??
    (key === undefined ? undefined : OPENAI_URL);
  if (url !== undefined && pointsAtThisService(url, settings)) {
    problems.push(
      `MAKER_API_URL points at this service itself (port ${portOf(settings)}): it must name a model provider`,
    );
  }
  const keySetting = settings.MAKER_API_KEY === undefined ? "OPENAI_API_KEY" : "MAKER_API_KEY";
  return {
    endpoint:
      url === undefined
        ? undefined
        : { url: url.replace(/(?<!\/)\/+(?=$|\?)/, ""), ...(key && { key, keySetting }) },
    anthropicKey: settings.ANTHROPIC_API_KEY,
    googleKey: settings.GOOGLE_GENERATIVE_AI_API_KEY,
    names: readNames(settings, url, problems),
    detectLocal: settings.MCI_DETECT_LOCAL,
    helper: settings.MCI_HELPER_MODEL,
    fallbacks: settings.MCI_FALLBACK_MODELS ?? [],
    callTimeoutMs: settings.MCI_CALL_TIMEOUT_MS,
    structured: settings.MCI_STRUCTURED,
    dialect: settings.MCI_DIALECT,
    capabilitiesFile: settings.MCI_DATA_DIR && join(settings.MCI_DATA_DIR, "model-capabilities.json"),
    pricesFile: settings.MCI_PRICES,
  };
}

const OPENAI_URL = "https://api.openai.com/v1";

function readNames(settings: Settings, url: string | undefined, problems: string[]): ModelConfig["names"] {
  const fallback = settings.MAKER_API_MODEL ?? (url === OPENAI_URL ? "gpt-4o-mini" : undefined);
  const voters = settings.MAKER_VOTER_MODEL?.length
    ? settings.MAKER_VOTER_MODEL
    : fallback === undefined
      ? []
      : [fallback];
  const judge = settings.MAKER_JUDGE_MODEL ?? fallback ?? voters[0];
  const [first, ...rest] = voters;
  if (first !== undefined && judge !== undefined) return { voters: [first, ...rest], judge };
  const source = PROVIDER_SETTINGS.find((name) => settings[name] !== undefined);
  if (source !== undefined || judge !== undefined) {
    problems.push(
      `MAKER_API_MODEL is not set, but ${source ?? "MAKER_JUDGE_MODEL"} is: name the model to use, e.g. MAKER_API_MODEL=${EXAMPLE_MODELS[source ?? ""] ?? "llama3.2"}`,
    );
  }
  return undefined;
}

const PROVIDER_SETTINGS = [
  "MAKER_API_URL",
  "MAKER_BASE_URL",
  "OPENAI_BASE_URL",
  "MAKER_API_KEY",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
] as const;

const EXAMPLE_MODELS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "anthropic/claude-haiku-4-5",
  GOOGLE_GENERATIVE_AI_API_KEY: "google/gemini-2.5-flash",
};

function pointsAtThisService(url: string, settings: Settings): boolean {
  const { hostname, port } = new URL(url);
  return port === String(portOf(settings)) && isLoopback(hostname);
}
