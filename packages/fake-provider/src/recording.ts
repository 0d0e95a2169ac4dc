import { readFile } from "node:fs/promises";
import { jsonOrText } from "@mci-ts/primitives/parse-json";
import { z } from "zod";
import { DIALECT_NAMES } from "./dialects/index.ts";

const RecordedExchange = z.strictObject({
  request: z
    .strictObject({
      path: z.string(),
      body: z.unknown(),
    })
    .optional()
    .describe("What was asked, for the reader; a replay does not compare it."),
  response: z.strictObject({
    status: z.int().min(100).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().describe("JSON, or a string that is sent as it is."),
  }),
});

/** Traffic with a provider, as `mci-council-sim --record` writes it and the tests replay it. */
export const Recording = z.strictObject({
  version: z.literal(1),
  dialect: z.enum(DIALECT_NAMES).optional().describe("Default: what the address of `upstream` tells."),
  upstream: z.url().optional().describe("The provider's address, where it was recorded."),
  model: z.string(),
  /** Where it comes from. */
  source: z.string(),
  exchanges: z.array(RecordedExchange).min(1),
  outcomes: z
    .array(
      z.union([
        z.strictObject({
          text: z.string().optional(),
          finishReason: z.string(),
          outputTokens: z.number().optional(),
        }),
        z.strictObject({ error: z.string(), retryable: z.boolean(), retryAfterMs: z.number().optional() }),
      ]),
    )
    .optional()
    .describe("What each call came to, in order. Default: each brought an answer."),
});
export type Recording = z.output<typeof Recording>;
export type RecordedExchange = z.output<typeof RecordedExchange>;

export async function readRecording(file: string): Promise<Recording> {
  try {
    return Recording.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(`${file} is not a recording: ${reason}`);
  }
}

const SECRET_HEADERS =
  /^(authorization|proxy-authorization|api-key|x-api-key|x-goog-api-key|cookie|set-cookie)$/i;
/** Headers that say something about the provider, its limits or the request; the rest is noise or personal. */
const KEPT_HEADERS =
  /^(content-type|server|retry-after(-ms)?|x-ratelimit-.*|anthropic-ratelimit-.*|x-groq-.*)$/i;

/** Every key that a request carries, so that none of them stays in a file. */
export function secretsOf(headers: Readonly<Record<string, unknown>>, url: URL): string[] {
  const values = Object.entries(headers)
    .filter(([name]) => SECRET_HEADERS.test(name))
    .map(([, value]) => String(value).replace(/^Bearer\s+/i, ""));
  return [...values, ...url.searchParams.getAll("key")].filter((value) => value !== "");
}

/** One exchange without keys, organisation ids or other headers that say who asked. */
export function toExchange(
  { path, requestBody }: { path: string; requestBody: string },
  response: { status: number; headers: Readonly<Record<string, string>>; body: string },
  secrets: readonly string[],
): RecordedExchange {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), text);
  const kept = Object.entries(response.headers).filter(([name]) => KEPT_HEADERS.test(name));
  return {
    request: { path: clean(path), body: json(clean(requestBody)) },
    response: {
      status: response.status,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, clean(value)])),
      body: json(clean(response.body)),
    },
  };
}

/** As data where that loses nothing: blank lines before the JSON are part of what was sent. */
const json = (text: string): unknown => (/^\S/.test(text) ? jsonOrText(text) : text);
