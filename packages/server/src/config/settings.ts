import { z } from "zod";

const integer = (min: number, max: number) =>
  z.coerce.number(`must be a whole number from ${min} to ${max}`).int().min(min).max(max);
const flag = z.enum(["0", "1", "true", "false"]).transform((text) => text === "1" || text === "true");
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);
const url = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => !URL.canParse(text) || isBare(new URL(text)), {
    error: "must hold no user name, password, query or fragment; keys have their own setting",
  });
const isBare = ({ username, password, search, hash }: URL) => username + password + search + hash === "";
const dollars = z.coerce.number("must be a number above 0").positive();

/** One line per setting: its meaning, and its default where it has one. */
export const SETTINGS = {
  MAKER_API_KEY: z
    .string()
    .optional()
    .describe(
      "Key of the OpenAI-compatible endpoint, sent to the host its URL names. Default: OPENAI_API_KEY.",
    ),
  MAKER_API_URL: url
    .optional()
    .describe(
      "Base URL of the endpoint. Default: MAKER_BASE_URL, OPENAI_BASE_URL, or OpenAI's own where a key is set.",
    ),
  MAKER_BASE_URL: url.optional().describe("The same under its older name; MAKER_API_URL wins."),
  MAKER_API_MODEL: z
    .string()
    .optional()
    .describe("Model for everything not named below. Default with OpenAI's endpoint: gpt-4o-mini."),
  MAKER_JUDGE_MODEL: z
    .string()
    .optional()
    .describe("Model that writes the council's verdict. Default: MAKER_API_MODEL."),
  MAKER_VOTER_MODEL: list
    .optional()
    .describe(
      "Model of votes and seats; a comma-separated list gives the seats different models. Default: MAKER_API_MODEL.",
    ),
  MAKER_K: z
    .union([z.literal("auto"), integer(1, 25)], "must be a whole number from 1 to 25, or auto")
    .default(3)
    .describe("Votes the winner must be ahead by. Default 3."),
  MAKER_MAX_ROUNDS: integer(1, 1000)
    .optional()
    .describe("Rounds of k samples one vote may take. Default: 8 k + 8 samples."),
  MAKER_MAX_TOKENS: integer(1, 1_000_000).optional().describe("Tokens one answer may take. Default 4096."),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe(
      "Used where MAKER_API_KEY is not set, and then sent to the endpoint, whatever host MAKER_API_URL names; the start says which.",
    ),
  OPENAI_BASE_URL: url.optional().describe("Used where MAKER_API_URL is not set."),
  ANTHROPIC_API_KEY: z
    .string()
    .optional()
    .describe("Turns on anthropic/… models, natively; sent to api.anthropic.com only."),
  GOOGLE_GENERATIVE_AI_API_KEY: z
    .string()
    .optional()
    .describe("Turns on google/… models, natively; sent to generativelanguage.googleapis.com only."),
  HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address to listen on; any but loopback needs MCI_TOKEN. Default 127.0.0.1."),
  PORT: integer(0, 65535).optional().describe("Port to listen on; 0 takes any free one. Default 8338."),
  MAKER_API_PORT: integer(0, 65535).optional().describe("The same under its older name; PORT wins."),
  MCI_DATA_DIR: z
    .string()
    .optional()
    .describe(
      "Folder for the history of runs. Default: the history lives in memory and ends with the process.",
    ),
  MCI_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters")
    .optional()
    .describe("Bearer token every caller must show. Default on loopback: none."),
  MCI_ALLOWED_HOSTS: list
    .default([])
    .describe(
      "Host names, besides the address itself, under which the service may be called. Default: none.",
    ),
  MCI_ALLOWED_ORIGINS: list
    .default([])
    .describe("Origins of web pages that may call the service, e.g. https://app.example. Default: none."),
  MCI_BODY_LIMIT: integer(1024, 64 * 1024 * 1024)
    .default(1024 * 1024)
    .describe("Largest request body in bytes. Default 1048576."),
  MCI_RATE_LIMIT: integer(0, 1_000_000)
    .default(3000)
    .describe(
      "Requests per minute and client address, also the largest burst; 0 turns it off. Default 3000.",
    ),
  MCI_MAX_CONCURRENT: integer(1, 10_000).default(64).describe("Runs under way at the same time. Default 64."),
  MCI_MAX_QUEUED: integer(0, 100_000)
    .default(2000)
    .describe("Runs that may wait for their turn; more are answered with 503. Default 2000."),
  MCI_QUEUE_WAIT_MS: integer(1, 600_000)
    .default(60_000)
    .describe("Longest wait for a turn before 503. Default 60000."),
  MCI_MAX_CALLS: integer(1, 1_000_000)
    .default(500)
    .describe("Most model calls one run may make. Default 500."),
  MCI_MAX_TOKENS: integer(1, 1_000_000_000)
    .optional()
    .describe("Most tokens one run may use. Default: no limit."),
  MCI_MAX_USD: dollars.optional().describe("Most US dollars one run may cost. Default: no limit."),
  MCI_DEADLINE_MS: integer(1, 86_400_000)
    .default(300_000)
    .describe("Longest time one run may take. Default 300000."),
  MCI_DAILY_MAX_CALLS: integer(1, 1_000_000_000)
    .optional()
    .describe("Most model calls of the whole service per day (UTC). Default: no limit."),
  MCI_DAILY_MAX_TOKENS: integer(1, 1_000_000_000_000)
    .optional()
    .describe("Most tokens of the whole service per day (UTC). Default: no limit."),
  MCI_DAILY_MAX_USD: dollars
    .optional()
    .describe("Most US dollars of the whole service per day (UTC). Default: no limit."),
  MCI_CALL_TIMEOUT_MS: integer(1, 3_600_000)
    .default(120_000)
    .describe(
      "Longest time one model call may take before it counts as failed and is retried. Default 120000.",
    ),
  MCI_HELPER_MODEL: z
    .string()
    .optional()
    .describe("Model for small questions, such as whether two answers mean the same. Default: the voter's."),
  MCI_FALLBACK_MODELS: list.default([]).describe("Models tried in turn when the judge fails. Default: none."),
  MCI_DETECT_LOCAL: flag
    .default(true)
    .describe("0 does not look for Ollama and LM Studio on this machine when no provider is set. Default 1."),
  MCI_STRUCTURED: z
    .enum(["auto", "schema", "text"])
    .default("auto")
    .describe(
      "How answers are asked for as JSON: by schema, in words, or by schema until the endpoint refuses. Default auto.",
    ),
  MCI_PRICES: z
    .string()
    .optional()
    .describe("JSON file of prices, laid over the built-in table. Default: the table alone."),
  MCI_ASSISTED_ROUTING: flag
    .default(false)
    .describe("1 lets a model choose the tool when no intent is given. Default 0."),
  MCI_RETENTION_DAYS: integer(1, 36_500).default(30).describe("Days a run stays in the history. Default 30."),
  MCI_RETENTION_RUNS: integer(1, 10_000_000)
    .default(10_000)
    .describe("Runs the history keeps. Default 10000."),
  MCI_MAX_HISTORY_MB: integer(1, 1_000_000)
    .optional()
    .describe(
      "Largest size of the history in MiB; the oldest runs make room for new ones. Default 2048 on disk, 256 in memory.",
    ),
} as const;

export type Settings = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]> };
