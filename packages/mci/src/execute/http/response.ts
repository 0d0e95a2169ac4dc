import { isUtf8 } from "node:buffer";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import { decodeBody } from "./content-encoding.ts";
import { indentJson } from "./json.ts";
import { RetryableError, retryAfterMs } from "./retry.ts";
import type { RawResponse } from "./transport.ts";

/**
 * A response as content: JSON indented as text and, if it is an object or array, as `structuredContent`; images and
 * audio as such; other text as text; anything else as a resource with its bytes in base64. The kind depends on the
 * content type alone, so that one tool always gives the same kind.
 */
export async function outcomeOf(response: RawResponse, uri: string, maxBytes: number): Promise<Outcome> {
  const decoded = decodeBody(response, maxBytes);
  const body = decoded instanceof Promise ? await decoded : decoded;
  if (body.length === 0) return textOutcome("");
  const { type, charset } = contentType(response, body);
  if (type.startsWith("image/"))
    return { content: [{ type: "image", data: body.toString("base64"), mimeType: type }] };
  if (type.startsWith("audio/"))
    return { content: [{ type: "audio", data: body.toString("base64"), mimeType: type }] };
  if (isJson(type)) return jsonOutcome(decodeText(body, charset), maxBytes);
  if (isText(type) || charset !== undefined) return textOutcome(decodeText(body, charset));
  return {
    content: [{ type: "resource", resource: { uri, mimeType: type, blob: body.toString("base64") } }],
  };
}

/** Throws the error for a status of 400 or above, with the beginning of the body. */
export async function failOnStatus(
  response: RawResponse,
  metadata: Readonly<Record<string, unknown>>,
  mask: (text: string) => string,
): Promise<never> {
  const { status, reason, headers } = response;
  const { STATUS_CODES } = await import("node:http");
  const headline = `HTTP request failed: ${status} ${STATUS_CODES[status] ?? reason}`.trimEnd();
  const excerpt = await excerptOf(response, mask);
  const error = new ToolError("http_status", excerpt === "" ? headline : `${headline}\n${excerpt}`, {
    metadata,
  });
  const isTransient = status === 408 || status === 429 || status >= 500;
  throw isTransient ? new RetryableError(error, retryAfterMs(first(headers["retry-after"]))) : error;
}

const EXCERPT_CHARS = 500;

async function excerptOf(response: RawResponse, mask: (text: string) => string): Promise<string> {
  // A compressed text that was cut cannot be decoded.
  if (response.truncated && response.headers["content-encoding"] !== undefined) return "";
  try {
    const body = await decodeBody(response, 1024 * 1024);
    const { type, charset } = contentType(response, body);
    if (!isJson(type) && !isText(type) && charset === undefined) return "";
    const text = decodeText(body, charset, response.truncated).trim();
    if (text.length <= EXCERPT_CHARS) return text;
    return `${mask(text).slice(0, EXCERPT_CHARS).toWellFormed()}…`;
  } catch {
    return "";
  }
}

function contentType({ headers }: RawResponse, body: Buffer): { type: string; charset: string | undefined } {
  const header = first(headers["content-type"]) ?? "";
  const end = header.indexOf(";");
  const type = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  const charset = end < 0 ? undefined : /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header)?.[1];
  if (type !== "") return { type, charset };
  // Nothing was said: bytes without NUL that make sense as UTF-8 are text.
  return { type: !body.includes(0) && isUtf8(body) ? "text/plain" : "application/octet-stream", charset };
}

function isJson(type: string): boolean {
  return type === "application/json" || type === "text/json" || type.endsWith("+json");
}

const TEXT_TYPES =
  /^(?:text\/.*|message\/.*|application\/(?:(?:x-)?(?:javascript|ecmascript|ndjson|jsonl|json-seq|yaml|toml|sh|httpd-php|www-form-urlencoded|typescript|latex|tex|sql)|graphql|json5|xml|xml-dtd|rtf|jwt)|.*\+(?:xml|yaml|text|json-seq))$/;

function isText(type: string): boolean {
  return TEXT_TYPES.test(type);
}

/** UTF-8 where nothing, or nothing known, is said; bytes that are not UTF-8 are Latin-1 if nothing is said. */
function decodeText(body: Buffer, charset: string | undefined, truncated = false): string {
  if (charset === undefined && !isUtf8(truncated ? beforeCut(body) : body))
    return new TextDecoder("latin1").decode(body);
  if (charset === undefined || /^utf-?8$/i.test(charset)) {
    const text = body.toString("utf8");
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Without a last character that may be cut in two. */
function beforeCut(body: Buffer): Buffer {
  const start = body.subarray(-4).findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  return start < 0 ? body : body.subarray(0, Math.max(0, body.length - 4) + start);
}

function jsonOutcome(text: string, maxBytes: number): Outcome {
  const value = parseJson(text);
  if (value === undefined) return textOutcome(text);
  // Indentation can multiply a hostile text; then it stays as it came.
  const pretty = indentJson(text, maxBytes * 2);
  if (pretty === undefined) return textOutcome(text);
  const outcome = textOutcome(pretty);
  return typeof value === "object" && value !== null ? { ...outcome, structuredContent: value } : outcome;
}

function textOutcome(text: string): Outcome {
  return { content: [{ type: "text", text }] };
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
