import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import type { DialectName } from "./dialects/index.ts";
import { type RecordedExchange, type Recording, secretsOf, toExchange } from "./recording.ts";

export interface RecorderOptions {
  /** Where requests go on to: the provider's base URL. */
  readonly upstream: string;
  /** The recording, rewritten after every exchange. */
  readonly file: string;
  /** Default: what the address tells to the one who replays it. */
  readonly dialect?: DialectName;
  /** Default 0, any free port. */
  readonly port?: number;
}

export interface Recorder {
  /** What to use as MAKER_API_URL instead of the provider's. */
  readonly url: string;
  close(): Promise<void>;
}

/** A local proxy to a real provider that writes down what passes, keys removed. Listens on 127.0.0.1 only. */
export async function startRecorder({
  upstream,
  file,
  dialect,
  port = 0,
}: RecorderOptions): Promise<Recorder> {
  const base = new URL(upstream);
  const exchanges: RecordedExchange[] = [];
  let model = "unknown";

  const server = createServer(async (incoming, outgoing) => {
    try {
      const requestBody = await readBody(incoming);
      const { pathname, search } = new URL(incoming.url ?? "/", "http://recorder");
      const target = new URL(
        `${base.origin}${base.pathname.replace(/(?<!\/)\/+$/, "")}${pathname}${search || base.search}`,
      );
      const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers;
      const response = await fetch(target, {
        method: incoming.method ?? "GET",
        // What does not come compressed cannot unpack to more than it seems, and is readable in the file.
        headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
        // The key and the prompt go where the option says.
        redirect: "manual",
        ...(requestBody === "" ? {} : { body: requestBody }),
      });
      const body = await readResponse(response);
      const received = Object.fromEntries(response.headers);
      exchanges.push(
        toExchange(
          { path: `${target.pathname}${target.search}`, requestBody },
          { status: response.status, headers: received, body },
          secretsOf(headers, target),
        ),
      );
      model = /"model"\s*:\s*"([^"]+)"/.exec(requestBody)?.[1] ?? model;
      write(file, {
        version: 1,
        ...(dialect === undefined ? {} : { dialect }),
        upstream: base.origin,
        model,
        source: `recorded from ${base.host}`,
        exchanges,
      });
      const { "transfer-encoding": ____, connection: _____, "content-length": ______, ...rest } = received;
      outgoing.writeHead(response.status, rest).end(body);
    } catch (error) {
      outgoing.writeHead(502, { "content-type": "application/json" });
      outgoing.end(
        JSON.stringify({
          error: { message: `the recorder cannot reach ${base.host}: ${(error as Error).message}` },
        }),
      );
    }
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function write(file: string, recording: Recording): void {
  writeFileSync(`${file}.tmp`, `${JSON.stringify(recording, null, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

/** Many times what a model writes in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

async function readResponse(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
