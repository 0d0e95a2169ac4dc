import { ToolError } from "../../errors.ts";
import { type RawResponse, responseTooLarge } from "./transport.ts";

/** Undoes `Content-Encoding`. The limit counts the decoded bytes too, so that a small body cannot become a huge one. */
export function decodeBody(
  { headers, body }: Pick<RawResponse, "headers" | "body">,
  maxBytes: number,
): Buffer | Promise<Buffer> {
  const header = headers["content-encoding"];
  if (header === undefined || body.length === 0) return body;
  const encodings = String(header)
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  return encodings.length === 0 ? body : decodeAll(body, encodings, maxBytes);
}

/** They are listed in the order in which they were applied. */
async function decodeAll(body: Buffer, encodings: readonly string[], maxBytes: number): Promise<Buffer> {
  if (encodings.length > 4) throw undecodable("it is encoded more than four times");
  const zlib = await import("node:zlib");
  let decoded = body;
  for (const encoding of encodings.toReversed()) {
    const input = decoded;
    decoded = await new Promise<Buffer>((resolve, reject) => {
      const done = (error: (Error & { code?: string }) | null, output: Buffer) => {
        if (error === null) return resolve(output);
        reject(
          error.code === "ERR_BUFFER_TOO_LARGE"
            ? responseTooLarge(maxBytes)
            : undecodable(`its ${encoding} data is damaged`, error),
        );
      };
      const limit = { maxOutputLength: maxBytes };
      if (encoding === "gzip" || encoding === "x-gzip") zlib.gunzip(input, limit, done);
      else if (encoding === "br") zlib.brotliDecompress(input, limit, done);
      else if (encoding === "zstd") zlib.zstdDecompress(input, limit, done);
      // Half of the servers that say deflate leave out the zlib header.
      else if (encoding === "deflate") (isZlib(input) ? zlib.inflate : zlib.inflateRaw)(input, limit, done);
      else reject(undecodable("its encoding is none that was asked for"));
    });
  }
  return decoded;
}

function isZlib(data: Buffer): boolean {
  return data.length >= 2 && (data[0]! & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0;
}

function undecodable(why: string, cause?: Error): ToolError {
  return new ToolError("http_network", `The response could not be decoded: ${why}.`, { cause });
}
