import type { IncomingMessage } from "node:http";
import type { HttpError } from "./error.ts";

/** Bytes of a request. Arguments of a tool are seldom more than a few thousand. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type Body = { readonly json: unknown } | { readonly refusal: HttpError };

/** Reads a request's JSON, and no more of it than the cap. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers["content-length"]) > MAX_BODY_BYTES) return { refusal: TOO_LARGE };
  const chunks: Buffer[] = [];
  let size = 0;
  // Not destroyed on the way out: the refusal must still reach the client.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return { refusal: TOO_LARGE };
    chunks.push(chunk);
  }
  try {
    return { json: JSON.parse(Buffer.concat(chunks).toString()) };
  } catch {
    return { refusal: { status: 400, code: -32_700, message: "Parse error: the body is not JSON" } };
  }
}

const TOO_LARGE: HttpError = {
  status: 413,
  message: `The request is larger than ${MAX_BODY_BYTES} bytes`,
  // What is left of it is not read.
  headers: { connection: "close" },
};
