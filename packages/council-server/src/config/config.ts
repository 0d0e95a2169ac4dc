import { resolve } from "node:path";
import { type ActConfig, checkArgument, type Outcome, type Preset, type PromptSet } from "@mci-ts/council";
import { isLoopback } from "@mci-ts/http-guard";
import { closestMatch } from "@mci-ts/primitives/closest-match";
import { z } from "zod";
import type { LOG_FORMATS } from "../telemetry/log.ts";
import { type ModelConfig, readModelConfig } from "./model-config.ts";
import { readOutcomes } from "./outcomes.ts";
import { readActConfig, readPresets } from "./presets.ts";
import { portOf, SETTINGS, type Settings } from "./settings.ts";
import type { ToolFilter } from "./tool-filter.ts";

/** The service's whole configuration; the environment is read here and nowhere else. */
export interface Config {
  readonly models: ModelConfig;
  readonly voting: {
    readonly k: number | "auto";
    readonly maxSamples?: number;
    readonly maxOutputTokens?: number;
    /** Tokens that a request and its reply may have together; undefined: not checked. */
    readonly contextWindow?: number;
    /** Undefined: by the model. */
    readonly prompts?: PromptSet;
    readonly assistedRouting: boolean;
    /** Measured elsewhere. */
    readonly outcomes: readonly Outcome[];
  };
  readonly budget: Limits & { readonly deadline_ms: number };
  readonly dailyBudget: Limits;
  /** What each subject may spend in a day, behind an issuer. */
  readonly subjectBudget: Limits;
  /** Long tasks side by side. */
  readonly maxTasks: number;
  /** How often a task whose provider cannot be reached resumes by itself; 0: never. */
  readonly taskRetries: number;
  /** Days that tasks stay after their end; undefined: all are kept. */
  readonly taskRetentionDays?: number;
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly http: HttpConfig;
  readonly store: StoreConfig;
  readonly webhooks: WebhookConfig;
  /** The MCI file that the console shows; undefined: none. */
  readonly tools?: ToolsConfig;
  /** What seats and voters may call; undefined: nothing. */
  readonly seatTools?: SeatToolsConfig;
  /** The operator's own, by name. */
  readonly presets: Readonly<Record<string, Preset>>;
  /** How actions of agents are decided. */
  readonly act: ActConfig;
  /** Problems that do not prevent startup. */
  readonly warnings: readonly string[];
}

export interface Limits {
  readonly max_calls?: number;
  readonly max_tokens?: number;
  readonly max_usd?: number;
}

export interface HttpConfig {
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  /** The issuer whose tokens count; undefined: none. */
  readonly issuer?: IssuerConfig;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly bodyLimit: number;
  /** Bytes of an agent's conversation. */
  readonly actBodyLimit: number;
  readonly rateLimit: number;
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  readonly queueWaitMs: number;
}

export interface IssuerConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Needed to use the service; undefined: none is. */
  readonly scope?: string;
  readonly adminScope: string;
  /** The web console at the issuer; undefined: it asks for a token. */
  readonly consoleClient?: string;
  readonly introspection?: { readonly clientId: string; readonly clientSecret: string };
}

export interface WebhookConfig {
  /** Hosts that a webhook may name, with the port unless it is the default. */
  readonly hosts: readonly string[];
  readonly secret?: string;
  /** Whether names may lead to addresses that are not public. */
  readonly allowPrivate: boolean;
}

export interface ToolsConfig {
  /** Absolute. */
  readonly file: string;
  /** What templates see as `env`: the environment without the service's own settings. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SeatToolsConfig extends ToolsConfig {
  /** Offered though not marked as read-only. */
  readonly allow: readonly string[];
  /** Which of them; empty: no restriction. */
  readonly filter: ToolFilter;
}

export interface StoreConfig {
  /** A PostgreSQL that instances share; undefined: SQLite, in `dir` or in memory. */
  readonly databaseUrl?: string;
  /** Connections to it at most. */
  readonly databaseConnections: number;
  /** How long startup waits for a server that is starting or down. */
  readonly databaseWaitMs: number;
  /** undefined: the history is in memory and lost when the process ends. */
  readonly dir?: string;
  /** As whom the embedded PostgreSQL runs if the service is root; undefined: the owner of its files, or `nobody`. */
  readonly postgresUser?: string;
  /** full: a response leaves after its record is on disk. relaxed: the record is written a moment later. */
  readonly durability: "full" | "relaxed";
  readonly retentionDays: number;
  readonly retentionRuns: number;
  /** Characters of each prompt and reply of a model call; 0: none. */
  readonly replyChars: number;
  readonly maxMegabytes: number;
}

/** What prevents the start: invalid settings, or what a setting leads to. Lists every problem, each with the name of its setting. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], headline = "Invalid settings") {
    super(`${headline}:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Reads and checks every setting; throws one `ConfigError` with all problems. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  checkArgument("env", env, z.looseObject({}));
  const problems: string[] = [];
  const settings = readSettings(env, problems);
  const loopback = isLoopback(settings.HOST);
  const issuer = readIssuer(settings, problems);
  if (!loopback && settings.MCI_TOKEN === undefined && issuer === undefined) {
    problems.push(
      `MCI_TOKEN is not set, but HOST=${settings.HOST} is reachable from other machines: set a token of 16 characters or more`,
    );
  }
  for (const origin of settings.MCI_ALLOWED_ORIGINS ?? []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      problems.push(`MCI_ALLOWED_ORIGINS: "${origin}" is not an origin such as https://app.example`);
    }
  }
  if (settings.MCI_WEBHOOK_HOSTS?.length && settings.MCI_WEBHOOK_SECRET === undefined) {
    problems.push("MCI_WEBHOOK_SECRET is not set, but MCI_WEBHOOK_HOSTS is: webhooks must be signed");
  }
  const models = readModelConfig(settings, problems);
  const presets = readPresets(settings.MCI_PRESETS, problems);
  const warnings = unknownSettings(env);
  const outcomes = readOutcomes(settings.MCI_OUTCOMES, problems, warnings);
  const act = readActConfig(settings.MCI_ACT, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    models,
    voting: {
      k: settings.MAKER_K,
      ...(settings.MAKER_MAX_ROUNDS === undefined
        ? {}
        : { maxSamples: settings.MAKER_MAX_ROUNDS * (settings.MAKER_K === "auto" ? 3 : settings.MAKER_K) }),
      maxOutputTokens: settings.MAKER_MAX_TOKENS,
      contextWindow: settings.MCI_CONTEXT_WINDOW,
      prompts: settings.MCI_PROMPTS,
      assistedRouting: settings.MCI_ASSISTED_ROUTING,
      outcomes,
    },
    budget: {
      max_calls: settings.MCI_MAX_CALLS,
      max_tokens: settings.MCI_MAX_TOKENS,
      max_usd: settings.MCI_MAX_USD,
      deadline_ms: settings.MCI_DEADLINE_MS,
    },
    dailyBudget: {
      max_calls: settings.MCI_DAILY_MAX_CALLS,
      max_tokens: settings.MCI_DAILY_MAX_TOKENS,
      max_usd: settings.MCI_DAILY_MAX_USD,
    },
    subjectBudget: {
      max_calls: settings.MCI_SUBJECT_DAILY_CALLS,
      max_tokens: settings.MCI_SUBJECT_DAILY_TOKENS,
      max_usd: settings.MCI_SUBJECT_DAILY_USD,
    },
    maxTasks: settings.MCI_MAX_TASKS,
    taskRetries: settings.MCI_TASK_RETRIES,
    taskRetentionDays: settings.MCI_TASK_RETENTION_DAYS,
    logFormat: settings.MCI_LOG_FORMAT,
    http: {
      host: settings.HOST,
      port: portOf(settings),
      token: settings.MCI_TOKEN,
      ...(issuer && { issuer }),
      allowedHosts: settings.MCI_ALLOWED_HOSTS,
      allowedOrigins: settings.MCI_ALLOWED_ORIGINS,
      bodyLimit: settings.MCI_BODY_LIMIT,
      actBodyLimit: settings.MCI_ACT_BODY_LIMIT,
      rateLimit: settings.MCI_RATE_LIMIT,
      maxConcurrent: settings.MCI_MAX_CONCURRENT,
      maxQueued: settings.MCI_MAX_QUEUED,
      queueWaitMs: settings.MCI_QUEUE_WAIT_MS,
    },
    store: {
      databaseUrl: settings.DATABASE_URL,
      databaseConnections: settings.MCI_DATABASE_CONNECTIONS,
      databaseWaitMs: settings.MCI_DATABASE_WAIT_MS,
      dir: settings.MCI_DATA_DIR,
      postgresUser: settings.MCI_POSTGRES_USER,
      durability: settings.MCI_DURABILITY,
      retentionDays: settings.MCI_RETENTION_DAYS,
      retentionRuns: settings.MCI_RETENTION_RUNS,
      replyChars: settings.MCI_STORE_REPLIES,
      maxMegabytes: settings.MCI_MAX_HISTORY_MB ?? (settings.MCI_DATA_DIR === undefined ? 256 : 2048),
    },
    webhooks: {
      hosts: settings.MCI_WEBHOOK_HOSTS,
      secret: settings.MCI_WEBHOOK_SECRET,
      allowPrivate: settings.MCI_WEBHOOK_ALLOW_PRIVATE,
    },
    ...readTools(settings, foreignVariables(env)),
    presets,
    act,
    warnings,
  };
}

function readIssuer(settings: Settings, problems: string[]): IssuerConfig | undefined {
  const { MCI_OAUTH_ISSUER: issuer, MCI_OAUTH_AUDIENCE: audience } = settings;
  const { MCI_INTROSPECTION_CLIENT: clientId, MCI_INTROSPECTION_SECRET: clientSecret } = settings;
  if (issuer === undefined) {
    if (audience !== undefined) problems.push("MCI_OAUTH_AUDIENCE is set, but MCI_OAUTH_ISSUER is not");
    return undefined;
  }
  if (audience === undefined)
    problems.push("MCI_OAUTH_AUDIENCE is not set, but MCI_OAUTH_ISSUER is: name what its tokens must be for");
  if ((clientId === undefined) !== (clientSecret === undefined))
    problems.push("MCI_INTROSPECTION_CLIENT and MCI_INTROSPECTION_SECRET need each other");
  return {
    issuer,
    audience: audience ?? "",
    scope: settings.MCI_OAUTH_SCOPE,
    adminScope: settings.MCI_OAUTH_ADMIN_SCOPE,
    consoleClient: settings.MCI_OAUTH_CONSOLE_CLIENT,
    ...(clientId !== undefined &&
      clientSecret !== undefined && { introspection: { clientId, clientSecret } }),
  };
}

function readTools(settings: Settings, env: Record<string, string>): Pick<Config, "tools" | "seatTools"> {
  const { MCI_TOOLS, MCI_CONSOLE_TOOLS = MCI_TOOLS, MCI_TOOLS_ALLOW, MCI_TOOLS_FILTER } = settings;
  return {
    ...(MCI_CONSOLE_TOOLS === undefined ? {} : { tools: { file: resolve(MCI_CONSOLE_TOOLS), env } }),
    ...(MCI_TOOLS === undefined
      ? {}
      : { seatTools: { file: resolve(MCI_TOOLS), env, allow: MCI_TOOLS_ALLOW, filter: MCI_TOOLS_FILTER } }),
  };
}

/** Keys of model providers are none of a tool's business. */
function foreignVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !(entry[0] in SETTINGS),
    ),
  );
}

function readSettings(env: Readonly<Record<string, string | undefined>>, problems: string[]): Settings {
  const entries = Object.entries(SETTINGS).map(([name, schema]) => {
    // Shells and compose files pass an unset variable as an empty one.
    const text = env[name]?.trim() || undefined;
    const read = schema.safeParse(text);
    if (read.success) return [name, read.data];
    // The value itself stays out of the message: it may be a secret.
    const messages = new Set(read.error.issues.map(({ message }) => message));
    problems.push(`${name} ${[...messages].join("; ")}`);
    return [name, undefined];
  });
  return Object.fromEntries(entries) as Settings;
}

/** An unknown name with our prefix is most likely a typing error. */
function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => /^(MAKER|MCI)_/.test(name) && !Object.hasOwn(SETTINGS, name))
    .map((name) => {
      const similar = closestMatch(name, Object.keys(SETTINGS));
      const suggestion = similar === undefined ? "" : `; did you mean ${similar}?`;
      return `${name} is not a setting of the council and is ignored${suggestion}`;
    });
}
