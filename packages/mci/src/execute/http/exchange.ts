import { Secrets } from "../../secrets.ts";
import type { Call } from "../executor.ts";
import type { HttpExchange } from "../http-exchange.ts";
import { decodeBody } from "./content-encoding.ts";
import { shownBody, shownHeaders } from "./preview.ts";
import type { HttpRequest } from "./request.ts";
import type { RawResponse, WireRequest } from "./transport.ts";

/** Characters of a body that are reported; a multiple of four, for base64. */
const MAX_BODY_CHARS = 256 * 1024;
/** Headers of a response whose values let others in. */
const CREDENTIALS = /^(set-cookie2?|authorization|proxy-authorization|x-api-key|authentication-info)$/i;

export type ObserveWire = (
  wire: WireRequest,
  startedAt: number,
  outcome: { readonly response?: RawResponse; readonly error?: unknown },
) => Promise<void>;

/** Tells `call.onExchange` of what goes over the wire. undefined where it is not asked for. */
export function wireObserver(
  call: Call,
  attempt: number,
  unsigned: HttpRequest,
  signed: HttpRequest,
): ObserveWire | undefined {
  const { onExchange } = call;
  if (onExchange === undefined) return undefined;
  // A key in the query is masked by its value, since its place in the address has no mark.
  const secrets = new Secrets();
  for (const secret of signed.secrets) secrets.add(secret, "credential");
  const mask = (text: string) => call.mask(secrets.mask(text));
  return async (wire, startedAt, { response, error }) => {
    const durationMs = Date.now() - startedAt;
    onExchange({
      attempt,
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      request: {
        method: wire.method,
        url: mask(wire.origin + wire.path),
        headers: maskValues(shownHeaders(wire.headers, unsigned.headers), mask),
        ...bodyOf(wire.body, mask).fields,
      },
      ...(response && { response: await responseOf(response, mask) }),
      ...(error !== undefined && { error: mask(error instanceof Error ? error.message : String(error)) }),
    });
  };
}

async function responseOf(
  response: RawResponse,
  mask: (text: string) => string,
): Promise<NonNullable<HttpExchange["response"]>> {
  const { status, reason, headers, body, truncated } = response;
  let decoded: Uint8Array = body;
  try {
    decoded = await decodeBody(response, MAX_DECODED_BYTES);
  } catch {
    // Shown as it came.
  }
  const fields = Object.entries(headers).map(([name, value]) => [
    mask(name),
    CREDENTIALS.test(name) ? "***" : mask(Buffer.from([value ?? ""].flat().join(", "), "latin1").toString()),
  ]);
  const { fields: bodyFields, isCut } = bodyOf(decoded, mask);
  return {
    status,
    statusText: mask(reason),
    headers: Object.fromEntries(fields),
    body: "",
    ...bodyFields,
    size: body.length,
    isCut: truncated || isCut,
  };
}

const MAX_DECODED_BYTES = 16 * 1024 * 1024;

function maskValues(
  headers: Readonly<Record<string, string>>,
  mask: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}

/** Masked before it is cut: half a secret is not found. */
function bodyOf(
  bytes: Uint8Array | undefined,
  mask: (text: string) => string,
): { fields: ReturnType<typeof shownBody>; isCut: boolean } {
  const { body, bodyEncoding } = shownBody(bytes);
  if (body === undefined) return { fields: {}, isCut: false };
  const text = bodyEncoding ? maskedBytes(body, mask) : mask(body);
  const fields = { body: text.slice(0, MAX_BODY_CHARS), ...(bodyEncoding && { bodyEncoding }) };
  return { fields, isCut: text.length > MAX_BODY_CHARS };
}

/** Bytes that are no text may have a secret between them all the same. */
function maskedBytes(base64: string, mask: (text: string) => string): string {
  return Buffer.from(mask(Buffer.from(base64, "base64").toString("latin1")), "latin1").toString("base64");
}
