import { PROMPT_SETS } from "@mci-ts/council";
import { z } from "zod";
import { DIALECT_NAMES } from "../providers/dialects/index.ts";
import { LOG_FORMATS } from "../telemetry/log.ts";
import { toolFilter } from "./tool-filter.ts";

const integer = (min: number, max: number, more = "") =>
  z.coerce.number(`must be a whole number from ${min} to ${max}${more}`).int().min(min).max(max);
const milliseconds = (max: number, standard: number) => integer(1, max).default(standard);
const oneOf = <const Names extends readonly string[]>(all: Names) =>
  z.enum(all, `must be ${all.slice(0, -1).join(", ")} or ${all.at(-1)}`);
const flag = oneOf(["0", "1", "true", "false"]).transform((text) => text === "1" || text === "true");
const names = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .refine((list) => list.length > 0, "must name at least one, with commas between several");
const text = (meaning: string) => z.string().optional().describe(meaning);
const model = (meaning: string) =>
  z
    .string()
    .regex(
      /^[^,]+$/,
      "must be the name of one model; only MAKER_VOTER_MODEL and MCI_FALLBACK_MODELS take several",
    )
    .optional()
    .describe(meaning);
const list = (meaning: string) => names.default([]).describe(meaning);
const url = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => !URL.canParse(text) || isBare(new URL(text)), {
    error:
      "must not contain a user name, password, fragment, or a query other than Azure's ?api-version=…; keys have a setting of their own",
  });
const isBare = ({ username, password, search, hash }: URL) =>
  username + password + hash === "" && /^(\?api-version=[\w.-]+)?$/.test(search);
const dollars = z.coerce.number("must be a number above 0").positive();

/** One line per setting: its meaning, and its default where it has one. */
export const SETTINGS = {
  MAKER_API_KEY: text(
    "Key of the OpenAI-compatible endpoint, sent to the host its URL names. Default: OPENAI_API_KEY.",
  ),
  MAKER_API_URL: url
    .optional()
    .describe(
      "Base URL of the endpoint. Default: MAKER_BASE_URL, OPENAI_BASE_URL, or OpenAI's if a key is set.",
    ),
  MAKER_BASE_URL: url.optional().describe("Older name of MAKER_API_URL, which takes precedence."),
  MAKER_API_MODEL: model(
    "Model for every purpose without a setting of its own. Default with OpenAI's endpoint: gpt-4o-mini.",
  ),
  MAKER_JUDGE_MODEL: model("Model of the judge. Default: MAKER_API_MODEL."),
  MAKER_VOTER_MODEL: names
    .optional()
    .describe(
      "Model of votes and seats; a comma-separated list gives the seats different models. Default: MAKER_API_MODEL.",
    ),
  MAKER_K: z
    .union([z.literal("auto"), integer(1, 25, ", or auto")], "must be a whole number from 1 to 25, or auto")
    .default(3)
    .describe("Votes the winner must be ahead by. Default 3."),
  MAKER_MAX_ROUNDS: integer(1, 1000)
    .optional()
    .describe("Maximum rounds of k samples in one vote. Default: 8 k + 8 samples."),
  MAKER_MAX_TOKENS: integer(1, 1_000_000)
    .optional()
    .describe("Maximum output tokens of one model call, reasoning included. Default 8192."),
  MCI_CONTEXT_WINDOW: integer(1, 100_000_000)
    .optional()
    .describe(
      "Tokens that a request and its reply may have together. A longer request is refused before any model call. Default: what the provider lists for the model, where it does.",
    ),
  MCI_PROMPTS: oneOf(PROMPT_SETS)
    .optional()
    .describe(
      "How prompts are put where a request does not say so: full, or compact for small models. Default: by the parameters in the model's name, or its context window.",
    ),
  OPENAI_API_KEY: text(
    "Used if MAKER_API_KEY is not set. It is then sent to the host of MAKER_API_URL, whichever that is; the startup message names it.",
  ),
  OPENAI_BASE_URL: url.optional().describe("Used if MAKER_API_URL is not set."),
  ANTHROPIC_API_KEY: text(
    "Enables anthropic/… models through Anthropic's own API; sent to api.anthropic.com only.",
  ),
  GOOGLE_GENERATIVE_AI_API_KEY: text(
    "Enables google/… models through Google's own API; sent to generativelanguage.googleapis.com only.",
  ),
  HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address to listen on; anything but loopback requires MCI_TOKEN. Default 127.0.0.1."),
  PORT: integer(0, 65535).optional().describe("Port to listen on; 0 picks a free one. Default 8338."),
  MAKER_API_PORT: integer(0, 65535).optional().describe("Older name of PORT, which takes precedence."),
  MCI_DATA_DIR: text(
    "Folder for the history of runs. Default: the history is in memory and lost when the process ends.",
  ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql:// address" })
    .optional()
    .describe(
      "A PostgreSQL database that any number of instances share: history, idempotency keys, daily budgets, live events and tasks. Default: the history is in MCI_DATA_DIR or in memory.",
    ),
  MCI_DATABASE_CONNECTIONS: integer(2, 1000)
    .default(10)
    .describe("Connections of this instance to DATABASE_URL at most. Default 10."),
  MCI_POSTGRES_USER: z
    .string()
    .regex(/^[A-Za-z_][\w.-]{0,31}$/, "must be the name of a user of this system")
    .optional()
    .describe(
      'As whom the embedded PostgreSQL runs if the service runs as root; it must exist. Default: the owner of its files, or "nobody".',
    ),
  MCI_DATABASE_WAIT_MS: integer(0, 3_600_000)
    .default(30_000)
    .describe("How long startup waits for a DATABASE_URL whose server is starting or down. Default 30000."),
  MCI_DURABILITY: oneOf(["full", "relaxed"])
    .default("full")
    .describe(
      "With MCI_DATA_DIR or DATABASE_URL: full writes the record of a run to disk before its response is sent, relaxed a moment later. Default full.",
    ),
  MCI_LOG_FORMAT: oneOf(LOG_FORMATS)
    .default("text")
    .describe(
      "json writes the log as lines of JSON with the fields time, level, instance, message, run and task, for programs that collect logs. Default text.",
    ),
  MCI_TOOLS: text(
    "An MCI file. Seats and voters may call its tools that are marked readOnlyHint; the web console shows and calls all of them. Default: none.",
  ),
  MCI_TOOLS_ALLOW: list("Tools of MCI_TOOLS that are offered though not marked readOnlyHint. Default: none."),
  MCI_TOOLS_FILTER: toolFilter
    .default({})
    .describe(
      "Which tools of MCI_TOOLS are offered, as in the mci command: only:a,b except:c tags:d withoutTags:e toolsets:f, with blanks between; names alone mean only. Default: all read-only ones.",
    ),
  MCI_CONSOLE_TOOLS: text(
    "An MCI file for the web console only; seats are offered none of its tools. Default: MCI_TOOLS.",
  ),
  MCI_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters")
    .optional()
    .describe("Bearer token that every request must carry. Default on loopback: none."),
  MCI_OAUTH_ISSUER: url
    .optional()
    .describe(
      "An authorization server whose tokens requests carry; runs and tasks then belong to the subject of the token. Default: none.",
    ),
  MCI_OAUTH_AUDIENCE: text(
    "What tokens of the issuer must be for: the public address of the service, or its name there.",
  ),
  MCI_OAUTH_SCOPE: z
    .string()
    .regex(/^[!#-[\]-~]+$/, "must be one scope")
    .optional()
    .describe("Scope that a token needs to use the service. Default: every token of the issuer may."),
  MCI_OAUTH_ADMIN_SCOPE: z
    .string()
    .regex(/^[!#-[\]-~]+$/, "must be one scope")
    .default("council:admin")
    .describe(
      "Scope that sees and changes what belongs to others, as MCI_TOKEN does. Default council:admin.",
    ),
  MCI_OAUTH_CONSOLE_CLIENT: text(
    "Client id of the web console at the issuer: a public client with PKCE. Default: the console asks for a token.",
  ),
  MCI_INTROSPECTION_CLIENT: text(
    "Client that asks the issuer about tokens that are not JWTs. Default: such tokens are refused.",
  ),
  MCI_INTROSPECTION_SECRET: text("Its secret."),
  MCI_SUBJECT_DAILY_CALLS: integer(1, 1_000_000_000)
    .optional()
    .describe("Model calls that the runs and tasks of one subject may make a day. Default: no limit."),
  MCI_SUBJECT_DAILY_TOKENS: integer(1, 1_000_000_000_000)
    .optional()
    .describe("Tokens that the runs and tasks of one subject may use a day. Default: no limit."),
  MCI_SUBJECT_DAILY_USD: dollars
    .optional()
    .describe("US dollars that the runs and tasks of one subject may cost a day. Default: no limit."),
  MCI_ALLOWED_HOSTS: list(
    "Host names accepted in the Host header, besides the address itself. Default: none.",
  ),
  MCI_ALLOWED_ORIGINS: list(
    "Origins of web pages that may call the service, e.g. https://app.example. Default: none.",
  ),
  MCI_BODY_LIMIT: integer(1024, 64 * 1024 * 1024)
    .default(1024 * 1024)
    .describe("Largest request body in bytes. Default 1048576."),
  MCI_RATE_LIMIT: integer(0, 1_000_000)
    .default(3000)
    .describe(
      "Requests per minute and client address, also the largest burst; 0 disables the limit. Default 3000.",
    ),
  MCI_MAX_CONCURRENT: integer(1, 10_000).default(64).describe("Runs executed at the same time. Default 64."),
  MCI_MAX_TASKS: integer(1, 1000)
    .default(12)
    .describe("Long tasks that this instance works on at the same time; others wait. Default 12."),
  MCI_TASK_RETRIES: integer(0, 10_000)
    .default(100)
    .describe(
      "How often in a row a task that is paused because its provider could not be reached resumes by itself: after half a minute at first, then after twice as long each time, up to a quarter of an hour. 0: never. Default 100, about a day.",
    ),
  MCI_TASK_RETENTION_DAYS: integer(1, 36_500)
    .optional()
    .describe(
      "Days that tasks stay after their end; then they are deleted with their steps. Default: all are kept.",
    ),
  MCI_MAX_QUEUED: integer(0, 100_000)
    .default(2000)
    .describe("Runs that may wait in the queue; further requests get 503. Default 2000."),
  MCI_QUEUE_WAIT_MS: milliseconds(600_000, 60_000).describe(
    "Longest wait in the queue before 503, in milliseconds. Default 60000.",
  ),
  MCI_MAX_CALLS: integer(1, 1_000_000).default(500).describe("Maximum model calls of one run. Default 500."),
  MCI_MAX_TOKENS: integer(1, 1_000_000_000)
    .optional()
    .describe("Maximum tokens of one run. Default: no limit."),
  MCI_MAX_USD: dollars.optional().describe("Maximum cost of one run in US dollars. Default: no limit."),
  MCI_DEADLINE_MS: milliseconds(86_400_000, 300_000).describe(
    "Deadline of one run in milliseconds. Default 300000.",
  ),
  MCI_DAILY_MAX_CALLS: integer(1, 1_000_000_000)
    .optional()
    .describe("Maximum model calls of the whole service per day (UTC). Default: no limit."),
  MCI_DAILY_MAX_TOKENS: integer(1, 1_000_000_000_000)
    .optional()
    .describe("Maximum tokens of the whole service per day (UTC). Default: no limit."),
  MCI_DAILY_MAX_USD: dollars
    .optional()
    .describe("Maximum cost of the whole service per day (UTC) in US dollars. Default: no limit."),
  MCI_CALL_TIMEOUT_MS: milliseconds(3_600_000, 120_000).describe(
    "Timeout of one model call in milliseconds, after which it is retried. Default 120000.",
  ),
  MCI_HELPER_MODEL: model(
    "Model for auxiliary questions, such as whether two answers mean the same. Default: the voter's.",
  ),
  MCI_FALLBACK_MODELS: list("Models used in turn when the judge fails. Default: none."),
  MCI_DETECT_LOCAL: flag
    .default(true)
    .describe(
      "0 disables the search for Ollama and LM Studio on this machine when no provider is configured. Default 1.",
    ),
  MCI_STRUCTURED: oneOf(["auto", "schema", "text"])
    .default("auto")
    .describe(
      "How JSON answers are requested: schema, text (described in the prompt), or auto (schema until the endpoint rejects it). Default auto.",
    ),
  MCI_DIALECT: oneOf(DIALECT_NAMES)
    .optional()
    .describe(
      `Provider behind the endpoint: ${DIALECT_NAMES.join(", ")}. Default: recognised by host, port or response.`,
    ),
  MCI_PRICES: text("JSON file of prices that override the built-in table. Default: the built-in table."),
  MCI_OUTCOMES: text(
    "File of measured outcomes, one JSON object per line, as mci-council eval writes it (outcomes.jsonl): the confidence of votes starts from them.",
  ),
  MCI_PRESETS: text(
    "JSON file of presets for config.preset, by name. Default: quick, balanced and thorough only.",
  ),
  MCI_ACT: text(
    'How actions of agents are decided, as config.act: JSON such as {"k": 3, "read_only": ["get_*"]}, or a file that holds it. Default: the defaults of config.act.',
  ),
  MCI_ACT_BODY_LIMIT: integer(1024, 256 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .describe(
      "Largest conversation of an agent in bytes; while a longer one is read, other requests wait. Default 8388608.",
    ),
  MCI_WEBHOOK_HOSTS: list(
    "Hosts that config.webhook may name, with their port if it is not the default. Default: none.",
  ),
  MCI_WEBHOOK_SECRET: z
    .string()
    .min(16, "must have at least 16 characters")
    .optional()
    .describe("Signs webhooks; required with MCI_WEBHOOK_HOSTS. With the prefix whsec_ the rest is base64."),
  MCI_WEBHOOK_ALLOW_PRIVATE: flag
    .default(false)
    .describe(
      "1 lets names in MCI_WEBHOOK_HOSTS lead to private addresses, such as 10.0.0.5. Default 0; an address in the list is always allowed.",
    ),
  MCI_ASSISTED_ROUTING: flag
    .default(false)
    .describe("1 lets a model choose the tool when no intent is given. Default 0."),
  MCI_RETENTION_DAYS: integer(1, 36_500)
    .default(30)
    .describe("Days that runs stay in the history. Default 30."),
  MCI_RETENTION_RUNS: integer(1, 10_000_000)
    .default(10_000)
    .describe("Runs that the history keeps. Default 10000."),
  MCI_STORE_REPLIES: integer(0, 10_000_000)
    .default(100_000)
    .describe(
      "Characters that the history keeps of each prompt and each reply of a model call, and twenty times as many of a run; 0 keeps none. Default 100000.",
    ),
  MCI_MAX_HISTORY_MB: integer(1, 1_000_000)
    .optional()
    .describe(
      "Maximum size of the history in MiB; the oldest runs are deleted to make room. Default 2048 on disk, 256 in memory.",
    ),
} as const;

export type Settings = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]> };

export function portOf({ PORT, MAKER_API_PORT }: Settings): number {
  return PORT ?? MAKER_API_PORT ?? 8338;
}
