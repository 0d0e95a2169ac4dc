import { isObject } from "@mci-ts/primitives/is-object";
import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import { parseJson } from "@mci-ts/primitives/parse-json";

/** What an error response says, whatever its envelope. */
export interface ProviderErrorBody {
  readonly message: string;
  /** The request's field at fault, where the provider names one. */
  readonly param?: string;
  readonly code?: string;
  readonly type?: string;
  /** Groq's `failed_generation`: what the model wrote before the provider rejected it. */
  readonly failedGeneration?: string;
  /** When to come back, where the body says so instead of a header. */
  readonly retryAfterMs?: number;
}

/**
 * Reads `{error: {…}}` (OpenAI and most others), `{error: "text"}` (Ollama, LM Studio), `{code, error: "text"}` (xAI),
 * `{type: "error", error}` (Anthropic), `[{error}]` (Gemini's compatible endpoint), `{message}` with a text, a list or `{detail}`
 * (Mistral, Cohere), FastAPI's `{detail: [{loc, msg}]}`, and errors that were wrapped as text in another (routers, gateways).
 */
export function readErrorBody(body: string): ProviderErrorBody {
  return read(parse(body), 0) ?? { message: "" };
}

/** Routers wrap errors of providers that wrap errors of theirs; deeper than this nothing is worth reading. */
const MAX_DEPTH = 8;

function read(value: unknown, depth: number): ProviderErrorBody | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === "string") return read(parse(value), depth + 1) ?? { message: value };
  if (Array.isArray(value)) return readList(value, depth);
  if (!isObject(value)) return undefined;
  const { error, message, detail } = value;
  const inner = [error, detail, message].find((part) => part !== undefined && part !== null && part !== "");
  const found = read(inner, depth + 1) ?? { message: "" };
  // The text of the provider behind a router says more than the router's own.
  const raw = isObject(value["metadata"]) ? read(value["metadata"]["raw"], depth + 1) : undefined;
  return {
    ...found,
    ...own(value),
    ...raw,
    message: raw?.message ? `${found.message}: ${raw.message}` : found.message,
    ...timing(value, found),
  };
}

/** FastAPI's list of problems, or a list that holds one error. */
function readList(list: readonly unknown[], depth: number): ProviderErrorBody | undefined {
  const [first] = list;
  if (isObject(first) && Array.isArray(first["loc"])) {
    const param = first["loc"].filter((part) => part !== "body").join(".");
    return {
      message: `${param}: ${String(first["msg"])}`,
      ...(param === "" ? {} : { param }),
      type: String(first["type"]),
    };
  }
  return read(first, depth + 1);
}

function own(value: Record<string, unknown>): Partial<ProviderErrorBody> {
  const text = (name: string) => {
    const field = value[name];
    return typeof field === "string" && field !== "" ? field : undefined;
  };
  const status = value["status"];
  const code = text("code") ?? (typeof status === "string" ? status : undefined);
  return omitUndefined({
    param: text("param"),
    code,
    type: text("type") === "error" ? undefined : text("type"),
    failedGeneration: text("failed_generation"),
  });
}

/** Google's RetryInfo, or "try again in 1.5s" as OpenAI and Groq write it. */
function timing(
  value: Record<string, unknown>,
  { message, retryAfterMs }: ProviderErrorBody,
): Partial<ProviderErrorBody> {
  const details = Array.isArray(value["details"]) ? value["details"] : [];
  const delay = details.map((detail) => isObject(detail) && detail["retryDelay"]).find(Boolean);
  const durationText = /try again in ((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)/i.exec(message)?.[1];
  const text = typeof delay === "string" ? delay : durationText;
  return omitUndefined({ retryAfterMs: retryAfterMs ?? (text === undefined ? undefined : durationMs(text)) });
}

/** "2ms", "1.57s", "6m0s", "1h2m": as rate-limit headers and errors write durations. */
export function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return undefined;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * MS[unit as keyof typeof MS], 0);
}

const MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A text that is not a JSON object or list is not evidence of anything. */
const parse = (text: string): unknown => (/^\s*[[{]/.test(text) ? parseJson(text) : undefined);
